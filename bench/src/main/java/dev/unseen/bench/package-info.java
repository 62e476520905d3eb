/**
 * Our speed beside that of other filters and of the memory itself. {@link
 * dev.unseen.bench.CompareCommand} is the door; each {@link dev.unseen.bench.SpeedContestant} runs
 * in a process of its own, which {@link dev.unseen.bench.Worker} is.
 */
package dev.unseen.bench;
