package dev.unseen.kafka;

import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How much of a changelog is kept. With a window of time, it is kept for a time, measured from when
 * an entry is appended: the time of a record may be old when it arrives. Without one, as many bytes
 * are kept as the entries of a full filter take.
 *
 * @param millis the time; -1 if there is no window
 * @param bytes of a partition; -1 if there is a window
 */
record ChangelogRetention(long millis, long bytes) {
  /** A key takes at least 2 bytes of memory, and an entry at most about 36 of the changelog. */
  private static final long BYTES_A_BYTE = 18;

  private static final long LEAST_BYTES = 64 << 20;
  private static final long SEGMENTS = 8; // only whole segments are deleted
  private static final long LEAST_SEGMENT_MILLIS = Duration.ofMinutes(10).toMillis();
  private static final long MOST_SEGMENT_BYTES = 1 << 30;

  /** A head is logged so often in this time or these bytes, which is within a window's step. */
  private static final long HEADS = 16;

  private static final long ENTRY_IN_LOG = 24;

  static ChangelogRetention of(Window window, long memoryBytes, Duration asked) {
    if (window.isTime()) {
      long length = window.length();
      long more = Math.max(length / 2, Duration.ofDays(1).toMillis());
      long usual = length + window.lateness() + more; // late records need earlier keys
      if (asked != null && asked.toMillis() < length) {
        throw new IllegalArgumentException(
            "changelogRetention (%s) must be at least the window, which is %s"
                .formatted(Print.duration(asked), Print.duration(Duration.ofMillis(length))));
      }
      return new ChangelogRetention(asked == null ? usual : asked.toMillis(), -1);
    }
    if (asked != null) {
      return new ChangelogRetention(asked.toMillis(), -1);
    }
    return new ChangelogRetention(-1, Math.max(LEAST_BYTES, BYTES_A_BYTE * memoryBytes));
  }

  /** Returns the configuration that a new topic gets. */
  Map<String, String> topicConfig() {
    Map<String, String> config = new HashMap<>();
    config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(millis));
    config.put(TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(bytes));
    if (millis > 0) {
      long segment = Math.max(LEAST_SEGMENT_MILLIS, millis / SEGMENTS);
      config.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(segment));
    }
    if (bytes > 0) {
      long segment = Math.min(MOST_SEGMENT_BYTES, bytes / SEGMENTS);
      config.put(TopicConfig.SEGMENT_BYTES_CONFIG, Long.toString(segment));
    }
    return config;
  }

  /** Returns the milliseconds after which a head is logged again. */
  long headMillis() {
    return millis > 0 ? millis / HEADS : Long.MAX_VALUE;
  }

  /** Returns the number of entries after which a head is logged again. */
  long headEntries() {
    return bytes > 0 ? bytes / HEADS / ENTRY_IN_LOG : Long.MAX_VALUE;
  }
}
