/**
 * Deduplication as an operator of Apache Flink. Start at {@link
 * dev.unseen.flink.UnseenDeduplication}; the <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/flink.md">manual</a> has complete
 * examples, and tells how states move between the shell and a job.
 */
package dev.unseen.flink;
