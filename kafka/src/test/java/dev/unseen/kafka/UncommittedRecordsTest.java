package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

/** What a changelog knows of records that may be processed again. */
class UncommittedRecordsTest {
  private static RecordMetadata at(String topic, long offset) {
    return new RecordMetadata() {
      @Override
      public String topic() {
        return topic;
      }

      @Override
      public int partition() {
        return 0;
      }

      @Override
      public long offset() {
        return offset;
      }
    };
  }

  private static LoggedRecord record(String topic, long offset) {
    RecordMetadata at = at(topic, offset);
    return new LoggedRecord(LoggedRecord.source(at), offset, 7 * offset);
  }

  /** Returns the record after a way through the changelog. */
  private static LoggedRecord logged(LoggedRecord record) {
    byte[] key = ChangelogFormat.bytes(record.hash());
    byte[] value = ChangelogFormat.timeAndSource(1, record);
    assertThat(ChangelogFormat.hasSource(key, value)).isTrue();
    assertThat(ChangelogFormat.number(value)).as("time").isEqualTo(1);
    return ChangelogFormat.record(key, value);
  }

  @Test
  void a_record_recognizes_itself_once() {
    UncommittedRecords records = new UncommittedRecords();
    records.add(logged(record("a", 5)));

    assertThat(records.remove(record("a", 6))).isFalse();
    assertThat(records.remove(record("b", 5))).isFalse();
    assertThat(records.remove(record("a", 5))).isTrue();
    assertThat(records.remove(record("a", 5))).as("a duplicate with the same offset").isFalse();
  }

  @Test
  void a_mark_removes_only_what_is_below_it_in_its_own_topic() {
    UncommittedRecords records = new UncommittedRecords();
    for (long offset = 0; offset < 10; offset++) {
      records.add(record("a", offset));
      records.add(record("b", offset));
    }
    SourceOffsets processed = new SourceOffsets();
    assertThat(processed.advance(at("a", 2))).as("the first of a").isTrue();
    assertThat(processed.advance(at("b", 0))).as("the first of b").isTrue();
    assertThat(processed.advance(at("a", 6))).isFalse();
    Map<Integer, Long> mark = ChangelogFormat.mark(ChangelogFormat.bytes(processed.snapshot()));

    records.removeBelow(mark);

    assertThat(records.remove(record("a", 6))).isFalse();
    assertThat(records.remove(record("a", 7))).isTrue();
    assertThat(records.remove(record("b", 0))).isFalse();
    assertThat(records.remove(record("b", 1))).isTrue();
  }
}
