package dev.unseen.kafka;

import org.apache.kafka.streams.kstream.KStream;

/**
 * The two streams that a deduplication makes of one.
 *
 * @param once the first record of each key
 * @param duplicates the records whose key was seen before, or was taken for seen by mistake
 */
public record Deduplicated<K, V>(KStream<K, V> once, KStream<K, V> duplicates) {}
