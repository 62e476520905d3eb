package dev.unseen.cli.dedup;

/** Counts the lines of the file that is being read, to say in which line a record begins. */
final class LinePlaces {
  private Batch.Origin file;
  private long before; // lines of the file in the batches that have passed

  /** Returns the line in which a piece of the next batch begins, counted from 1. */
  long lineOf(int piece, Batch batch) {
    return 1 + (batch.origin() == file ? before : 0) + lines(batch, piece);
  }

  /** Counts the lines of a batch. */
  void passed(Batch batch) {
    before = (batch.origin() == file ? before : 0) + lines(batch, batch.count());
    file = batch.origin();
  }

  private static long lines(Batch batch, int pieces) {
    long lines = 0;
    for (int i = 0; i < pieces; i++) {
      lines += batch.linesOf(i);
    }
    return lines;
  }
}
