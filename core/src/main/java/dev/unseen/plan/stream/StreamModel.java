package dev.unseen.plan.stream;

import java.util.OptionalDouble;

/**
 * What a prediction needs to know of a stream, which is one curve: y(w), the chance that a record's
 * key does not occur among the w records before it.
 *
 * <p>Everything else follows. The t-th record is a first occurrence with chance y(t). The distance
 * from a duplicate back to the previous record of its key has density -y'(w). And the records of a
 * window of w hold D(w) distinct keys, the integral of y from 0 to w, since each record adds one if
 * its key is new to the window.
 *
 * <p>The curve must not change along the stream, but for its start. That is exact for the shuffled
 * and the uniform stream, and an average for others.
 */
public interface StreamModel {
  /** How many records there are; for an endless stream, positive infinity. */
  double records();

  /** y(w): the chance that a record's key does not occur among the w records before it. */
  double unseen(double window);

  /** D(w): how many distinct keys w consecutive records hold, on average. */
  double distinct(double window);

  /**
   * Whether the order of the records carries no information. Then a sample of n records, taken by
   * tossing coins, looks just like n consecutive ones.
   */
  boolean exchangeable();

  /**
   * Whether the time since a key was last seen alone tells how likely it is to come again. Then a
   * filter forgets best what it has not seen for the longest time.
   */
  default boolean recencyTellsAll() {
    return false;
  }

  /**
   * After how many records every key comes again, if that is the same for all of them: on a stream
   * that goes round its keys. Empty on any other.
   */
  default OptionalDouble period() {
    return OptionalDouble.empty();
  }

  /** Whether the stream never ends. */
  default boolean isEndless() {
    return records() == Double.POSITIVE_INFINITY;
  }

  /** The share of the records that are the first of their key. */
  default double newShare() {
    double beyondRepeats = 1e30; // records
    return isEndless() ? unseen(beyondRepeats) : Math.min(1, distinct(records()) / records());
  }

  /** The distinct keys in all: infinitely many on an endless stream. */
  default double keys() {
    return isEndless() ? Double.POSITIVE_INFINITY : distinct(records());
  }

  /**
   * The paper's data set: each of the keys at least once, the other records uniform over them, the
   * whole shuffled.
   */
  static StreamModel shuffled(double records, double distinct) {
    return new ShuffledStreamModel(records, distinct);
  }

  /** Uniform draws from a universe of so many keys: what the paper's theory assumes. */
  static StreamModel uniform(double records, double universe) {
    return new UniformStreamModel(records, universe);
  }

  /**
   * Goes round so many keys in the same order, again and again: a file that is read several times,
   * or a job that runs every night.
   */
  static StreamModel loop(double records, double keys) {
    return new LoopStreamModel(records, keys);
  }

  /**
   * New keys without end; a share of the records repeats an earlier one, so far back as the
   * distances say.
   */
  static StreamModel endless(double repeatShare, RepeatDistances distances) {
    return new RepeatingStreamModel(Double.POSITIVE_INFINITY, repeatShare, distances);
  }

  /** The first so many records of such a stream. */
  static StreamModel recent(double records, double repeatShare, RepeatDistances distances) {
    return new RepeatingStreamModel(records, repeatShare, distances);
  }
}
