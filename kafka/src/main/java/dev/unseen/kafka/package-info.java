/**
 * Deduplication for Kafka Streams: a processor with a store of its own, and a command from topic to
 * topic. Start at {@link dev.unseen.kafka.Unseen}; the <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/kafka.md">manual</a> has complete
 * examples.
 */
package dev.unseen.kafka;
