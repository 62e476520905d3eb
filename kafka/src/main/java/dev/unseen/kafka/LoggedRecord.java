package dev.unseen.kafka;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record whose key was logged: where it came from, and the hash of its key.
 *
 * @param source the topic and the partition, as {@link #source} computes it
 * @param offset the offset there
 * @param hash the hash of its key
 */
record LoggedRecord(int source, long offset, long hash) {
  /** Returns a number for the topic and the partition of a record. */
  static int source(RecordMetadata at) {
    CRC32C crc = new CRC32C();
    crc.update((at.topic() + "-" + at.partition()).getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
