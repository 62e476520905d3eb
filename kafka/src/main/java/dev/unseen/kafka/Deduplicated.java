package dev.unseen.kafka;

import org.apache.kafka.streams.kstream.KStream;

/**
 * The streams that a deduplication makes of one.
 *
 * @param once the first record of each key
 * @param duplicates the records whose key was seen before, or was mistaken for a known one
 * @param late the records that were dropped because they could not be checked; there are none
 *     unless {@link TopicDeduplication#lateRecords} is set to {@code DROP}
 */
public record Deduplicated<K, V>(
    KStream<K, V> once, KStream<K, V> duplicates, KStream<K, V> late) {}
