package dev.unseen.plan;

/** What follows from a stream's curve. */
final class Streams {
  private static final double LONG = 1e30; // records: beyond the repeats of any stream

  private Streams() {}

  static boolean isEndless(StreamModel stream) {
    return stream.records() == Double.POSITIVE_INFINITY;
  }

  /** The share of the records that are the first of their key. */
  static double newShare(StreamModel stream) {
    return isEndless(stream)
        ? stream.unseen(LONG)
        : Math.min(1, stream.distinct(stream.records()) / stream.records());
  }

  /** The distinct keys in all: infinitely many on an endless stream that has new ones. */
  static double keys(StreamModel stream) {
    return isEndless(stream) ? Double.POSITIVE_INFINITY : stream.distinct(stream.records());
  }
}
