/**
 * A job of Apache Flink that needs no code: from files or topics to files or topics, each record
 * once. Start with {@link dev.unseen.flink.job.UnseenFlink}; its options are in the <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/flink.md">manual</a>.
 */
package dev.unseen.flink.job;
