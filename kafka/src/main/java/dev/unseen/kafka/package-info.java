/**
 * Deduplication for Kafka Streams: a processor with its own store, and a command that copies a
 * topic without duplicates. Start at {@link dev.unseen.kafka.Unseen}; the <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/kafka.md">manual</a> has complete
 * examples.
 */
package dev.unseen.kafka;
