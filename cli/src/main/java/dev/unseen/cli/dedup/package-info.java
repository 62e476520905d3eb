/**
 * {@code unseen [OPTIONS] [FILE...]}: reads records, lets the first of each key through and writes
 * them, on all cores. Start at {@code DedupCommand}.
 */
package dev.unseen.cli.dedup;
