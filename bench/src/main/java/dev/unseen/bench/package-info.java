/**
 * Compares our speed with that of other filters and of the memory itself. {@link
 * dev.unseen.bench.CompareCommand} is the entry point. Each {@link
 * dev.unseen.bench.SpeedContestant} runs in its own process, a {@link dev.unseen.bench.Worker}.
 */
package dev.unseen.bench;
