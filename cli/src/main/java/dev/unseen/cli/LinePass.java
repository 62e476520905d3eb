package dev.unseen.cli;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.Xxh3;

/**
 * The way of a record: a block of lines is read, each is hashed, the filter decides on all of them
 * at once, and the runs of those let through are written.
 */
final class LinePass {
  private final DuplicateFilter filter;
  private final Hash64 hash;
  private final RecordWriter out;

  private final long[] hashes = new long[LineBlocks.MAX_LINES];
  private final long[] fresh = new long[LineBlocks.MAX_LINES / Long.SIZE];
  private long records;
  private long admitted;

  LinePass(DuplicateFilter filter, RecordWriter out) {
    this.filter = filter;
    this.hash = new Xxh3(filter.spec().seed());
    this.out = out;
  }

  /** Takes in a whole input. */
  void run(LineBlocks lines) throws Failure {
    while (lines.next()) {
      hash(lines);
      int through = filter.admitAll(hashes, 0, lines.count(), fresh);
      records += lines.count();
      admitted += through;
      if (through > 0) {
        write(lines);
      }
    }
  }

  private void hash(LineBlocks lines) {
    byte[] bytes = lines.buffer();
    int count = lines.count();
    for (int i = 0; i < count; i++) {
      int start = lines.start(i);
      hashes[i] = hash.hash(bytes, start, lines.end(i) - start);
    }
  }

  private void write(LineBlocks lines) throws Failure {
    int count = lines.count();
    int first = nextWith(true, 0, count);
    while (first < count) {
      int stop = nextWith(false, first + 1, count);
      boolean terminated = lines.isTerminated(stop - 1);
      int to = lines.end(stop - 1) + (terminated ? 1 : 0);
      out.write(lines.buffer(), lines.start(first), to, terminated);
      first = nextWith(true, stop + 1, count);
    }
  }

  /** The first line from {@code i} on that is fresh or not, as asked; {@code count} if none is. */
  private int nextWith(boolean wanted, int i, int count) {
    while (i < count) {
      long word = wanted ? fresh[i / Long.SIZE] : ~fresh[i / Long.SIZE];
      long rest = word >>> i; // the shift counts modulo 64
      if (rest != 0) {
        return Math.min(count, i + Long.numberOfTrailingZeros(rest));
      }
      i = (i | (Long.SIZE - 1)) + 1;
    }
    return count;
  }

  /** The records taken in so far. */
  long records() {
    return records;
  }

  /** Those let through. */
  long admitted() {
    return admitted;
  }
}
