/**
 * Deduplication for Kafka Streams: a processor with a store of its own, and a command from topic to
 * topic. Start at {@link dev.unseen.kafka.Unseen}.
 */
package dev.unseen.kafka;
