/**
 * Lets each record of a stream through once, in memory that never grows.
 *
 * <p>Start with {@link dev.unseen.Deduplicator}, which is built from one of the {@link
 * dev.unseen.Keys}. Use a {@link dev.unseen.Gate} if you have 64-bit hashes instead of records.
 *
 * <p>Read more in the documentation:
 *
 * <ul>
 *   <li><a href="https://github.com/unseen-dev/unseen/blob/main/docs/embedding.md">In your Java
 *       program</a>: complete examples
 *   <li><a href="https://github.com/unseen-dev/unseen/blob/main/docs/state.md">States</a>:
 *       restarts, audits, delivery, threads
 *   <li><a href="https://github.com/unseen-dev/unseen/blob/main/docs/choosing.md">Which filter?</a>
 *       and <a href="https://github.com/unseen-dev/unseen/blob/main/docs/planner.md">the
 *       planner</a>
 *   <li><a href="https://github.com/unseen-dev/unseen/blob/main/SECURITY.md">What is promised</a>
 *       against strangers who choose the records
 * </ul>
 *
 * <h2>Glossary</h2>
 *
 * <ul>
 *   <li><b>Record</b>: one element of a stream, such as a line of a file, a message or an object.
 *   <li><b>Key</b>: the part of a record that decides whether two records are the same. Records
 *       with equal keys are duplicates of each other.
 *   <li><b>New</b>: a record is new if its key was not seen before, or not within the window. New
 *       records are let through.
 *   <li><b>Duplicate</b>: a record whose key was seen before, within the window if there is one.
 *   <li><b>False positive</b>: a new record that is treated as a duplicate, so it is lost. The
 *       false positive rate (FPR) is the share of the new records that are lost.
 *   <li><b>False negative</b>: a duplicate that is treated as new, so it gets through. The false
 *       negative rate (FNR) is the share of the duplicates that get through.
 *   <li><b>Window</b>: how long a key counts as seen, as a time or as a number of records. Without
 *       a window, a key counts as seen as long as the memory holds it.
 *   <li><b>Line</b>: 512 bits of a filter's memory, which is one cache line of the processor.
 *       RECENCY keeps all it knows about a key in one line.
 *   <li><b>Lane</b>: one place in a line of RECENCY. It holds the fingerprint of one key, which is
 *       the last bits of its hash.
 *   <li><b>Shard</b>: one of 128 parts of a filter for many threads. Each shard has its own memory
 *       and can be saved, moved and merged alone.
 * </ul>
 */
@NullMarked
package dev.unseen;

import org.jspecify.annotations.NullMarked;
