package dev.unseen.cli;

import dev.unseen.io.InputException;
import dev.unseen.io.RecordCutter;

/**
 * Fills batches with the records of an input. A batch holds what one read brought: a record that
 * has arrived never waits for others. The bytes of a record that has not ended yet move to the
 * front of the next batch, which grows only for records that are longer.
 */
final class RecordReader {
  /** The most bytes of a record: 64 MiB. */
  static final int MAX_RECORD_BYTES = 64 << 20;

  /** The most bytes of a read: few enough to stay in a core's second-level cache. */
  static final int READ_BYTES = 256 << 10;

  /** A batch so many times larger than it need be is made smaller. */
  private static final int MANY_READS = 8;

  private final Input input;
  private final RecordCutter cutter;
  private final Batch.Origin origin;
  private final int readBytes;
  private final int maxRecordBytes;

  private byte[] rest = {}; // holds the bytes of the record that has not ended
  private int restStart;
  private int restEnd;
  private boolean ended;

  RecordReader(Input input, RecordCutter cutter, Batch.Origin origin) {
    this(input, cutter, origin, READ_BYTES, MAX_RECORD_BYTES);
  }

  RecordReader(
      Input input, RecordCutter cutter, Batch.Origin origin, int readBytes, int maxRecordBytes) {
    this.input = input;
    this.cutter = cutter;
    this.origin = origin;
    this.readBytes = readBytes;
    this.maxRecordBytes = maxRecordBytes;
  }

  /**
   * Fills a batch with at least one piece; false at the end, with nothing in it.
   *
   * <p>If it fails, the batch holds what came before. What is left over stays where it is until the
   * next call, in a batch that others may read meanwhile but nobody fills.
   */
  boolean fill(Batch batch) throws Failure {
    batch.begin(origin, 0);
    while (!ended) {
      takeRest(batch);
      int kept = restEnd;
      int room = Math.min(batch.bytes.length, maxRecordBytes + 1) - kept;
      int read = input.read(batch.bytes, kept, Math.min(readBytes, room));
      ended = read < 0;
      restEnd = kept + Math.max(read, 0);
      try {
        restStart = cutter.cut(batch.bytes, 0, restEnd, ended, batch);
      } catch (InputException e) {
        batch.finish(true, input.position());
        throw Failure.inputOrOutput(e.getMessage(), e);
      }
      if (batch.count() > 0) {
        batch.finish(!ended, input.position()); // what ends with the file has no end of its own
        return true;
      }
    }
    return false;
  }

  /** Moves what is left over to the front of the batch, and sees that there is room behind it. */
  private void takeRest(Batch batch) throws Failure {
    int kept = restEnd - restStart;
    if (kept > maxRecordBytes) {
      throw Failure.inputOrOutput(
          "%s, line %,d: longer than %,d bytes, the most a record may have"
              .formatted(origin.name(), cutter.line(), maxRecordBytes),
          null);
    }
    int wanted = Math.min(Math.max(readBytes, 2 * kept), maxRecordBytes + 1); // one for its end
    if (batch.bytes.length < wanted || batch.bytes.length > MANY_READS * wanted) {
      batch.bytes = new byte[wanted];
    }
    System.arraycopy(rest, restStart, batch.bytes, 0, kept);
    rest = batch.bytes;
    restStart = 0;
    restEnd = kept;
  }
}
