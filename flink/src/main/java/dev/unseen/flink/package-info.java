/** Deduplication as an operator of Apache Flink. Start at {@code UnseenDeduplication}. */
package dev.unseen.flink;
