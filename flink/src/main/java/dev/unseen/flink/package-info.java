/**
 * Deduplication as an operator of Apache Flink. Start at {@link
 * dev.unseen.flink.UnseenDeduplication}; the <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/flink.md">manual</a> has complete
 * examples, and describes how states move between the command line and a job.
 */
package dev.unseen.flink;
