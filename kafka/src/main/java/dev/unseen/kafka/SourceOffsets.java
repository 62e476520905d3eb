package dev.unseen.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** How far a task has processed each partition that it reads. */
final class SourceOffsets {
  private final Map<Integer, Long> next = new HashMap<>(); // by source: the offset to be read next
  private String topic; // of the latest record
  private int partition;
  private int source;
  private long offset;

  /** Records that a record is processed; returns whether it is the first one of its source. */
  boolean advance(RecordMetadata at) {
    boolean first = false;
    if (!at.topic().equals(topic) || at.partition() != partition) {
      settle();
      topic = at.topic();
      partition = at.partition();
      source = LoggedRecord.source(at);
      first = !next.containsKey(source);
    }
    offset = at.offset();
    return first;
  }

  /** Returns the number of the source of the latest record. */
  int source() {
    return source;
  }

  private void settle() {
    if (topic != null) {
      next.put(source, offset + 1);
    }
  }

  /** Returns the offsets below which all records are processed, by source. */
  Map<Integer, Long> snapshot() {
    settle();
    return Map.copyOf(next);
  }

  void clear() {
    topic = null;
    next.clear();
  }
}
