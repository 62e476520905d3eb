package dev.unseen.flink.job;

import dev.unseen.commands.RecordOptions;
import dev.unseen.io.Block;
import dev.unseen.io.RecordReader;
import dev.unseen.io.Source;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.apache.flink.connector.file.src.reader.StreamFormat;

/** Reads the records of a file, a block at a time, each with the bytes of its key and its time. */
final class FileRecords extends Block implements StreamFormat.Reader<JobRecord> {
  private final Source source;
  private final RecordReader reader;
  private final Queue<JobRecord> records = new ArrayDeque<>();
  private int pieces;
  private int start; // of the next piece

  FileRecords(Source source, RecordOptions options) {
    super(RecordReader.READ_BYTES);
    this.source = source;
    this.reader =
        new RecordReader(
            source,
            options.format().cutter(options.spec(), source.name()),
            options.spec(),
            options.maxRecordBytes());
  }

  @Override
  public JobRecord read() throws IOException {
    while (records.isEmpty() && reader.fill(this)) {
      // A block may have no record.
    }
    return records.poll();
  }

  @Override
  public void close() {
    source.close();
  }

  @Override
  protected void begin() {
    records.clear();
    pieces = 0;
    start = 0;
  }

  @Override
  public int count() {
    return pieces;
  }

  @Override
  protected void finish(boolean terminated) {
    // A record that lacks its line end was given one.
  }

  @Override
  public void record(int end, byte[] key, int from, int to, long time) {
    records.add(JobRecord.of(line(start, end), Arrays.copyOfRange(key, from, to), time));
    between(end);
  }

  /** Returns the bytes of a record without its line end, which the last of a file may lack. */
  private byte[] line(int from, int to) {
    boolean ended = to > from && bytes()[to - 1] == '\n';
    return Arrays.copyOfRange(bytes(), from, ended ? to - 1 : to);
  }

  @Override
  public void between(int end) {
    pieces++;
    start = end;
  }

  @Override
  public void bad(int end, long line, long column, String reason) {
    String trouble = "%s, line %d, column %d: %s".formatted(source.name(), line, column, reason);
    records.add(JobRecord.bad(line(start, end), trouble));
    between(end);
  }

  @Override
  public void more(int end) {
    between(end);
  }
}
