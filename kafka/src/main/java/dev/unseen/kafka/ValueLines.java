package dev.unseen.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Writes values to standard output, each with a line end. */
final class ValueLines implements Processor<byte[], KeyedRecord, Void, Void> {
  private static final Duration FLUSH_EVERY = Duration.ofMillis(200);

  private final OutputStream out;

  ValueLines(OutputStream out) {
    this.out = out;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    context.schedule(FLUSH_EVERY, PunctuationType.WALL_CLOCK_TIME, now -> flush());
  }

  @Override
  public void process(Record<byte[], KeyedRecord> record) {
    byte[] value = record.value().value();
    if (value == null) {
      return; // a tombstone has nothing to write
    }
    try {
      synchronized (out) { // which all tasks share
        out.write(value);
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException("standard output cannot be written: " + e.getMessage(), e);
    }
  }

  private void flush() {
    try {
      synchronized (out) {
        out.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("standard output cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    flush();
  }
}
