package dev.unseen.plan.stream;

import java.util.OptionalDouble;

/**
 * Describes a stream for a prediction by one curve: y(w), the chance that a record's key does not
 * occur among the w records before it.
 *
 * <p>Everything else follows from the curve. Record t is the first of its key with chance y(t). The
 * distance from a duplicate back to the previous record of its key has the density -y'(w). And w
 * consecutive records have D(w) distinct keys, the integral of y from 0 to w, because each record
 * adds one if its key is new among them.
 *
 * <p>The curve must not change along the stream, except at its start. That is exact for shuffled
 * and uniform streams, and an average for others.
 */
public interface StreamModel {
  /** Returns the number of records; positive infinity for an endless stream. */
  double records();

  /** Returns y(w), the chance that a record's key does not occur among the w records before it. */
  double unseen(double window);

  /** Returns D(w), the average number of distinct keys in w consecutive records. */
  double distinct(double window);

  /**
   * Returns whether the order carries no information: n random records look like n consecutive
   * ones.
   */
  boolean exchangeable();

  /** Returns whether only the time since a key was last seen predicts its return. */
  default boolean recencyTellsAll() {
    return false;
  }

  /** Returns the records of one round, on a stream that goes round its keys. */
  default OptionalDouble period() {
    return OptionalDouble.empty();
  }

  /** Returns whether the stream never ends. */
  default boolean isEndless() {
    return records() == Double.POSITIVE_INFINITY;
  }

  /** Returns the share of the records that are the first of their key. */
  default double newShare() {
    double beyondRepeats = 1e30; // records
    return isEndless() ? unseen(beyondRepeats) : Math.min(1, distinct(records()) / records());
  }

  /** Returns the distinct keys of the whole stream; positive infinity if it is endless. */
  default double keys() {
    return isEndless() ? Double.POSITIVE_INFINITY : distinct(records());
  }

  /**
   * Returns the model of the paper's data set: each key occurs at least once, the other records are
   * drawn uniformly from the keys, and the whole is shuffled.
   *
   * @param records the number of records
   * @param distinct the number of distinct keys
   */
  static StreamModel shuffled(double records, double distinct) {
    return new ShuffledStreamModel(records, distinct);
  }

  /**
   * Returns the model of uniform draws from a number of keys, which the paper's theory assumes.
   *
   * @param records the number of records
   * @param universe the number of keys to draw from
   */
  static StreamModel uniform(double records, double universe) {
    return new UniformStreamModel(records, universe);
  }

  /**
   * Returns the model of a stream that goes round its keys in the same order, again and again: a
   * file that is read several times, or a job that runs every night.
   *
   * @param records the number of records
   * @param keys the number of keys in one round
   */
  static StreamModel loop(double records, double keys) {
    return new LoopStreamModel(records, keys);
  }

  /**
   * Returns the model of an endless stream in which a share of the records repeat an earlier
   * record, and all others are new.
   *
   * @param repeatShare the share of the records that are repeats
   * @param distances how far back the repeated record lies
   */
  static StreamModel endless(double repeatShare, RepeatDistances distances) {
    return new RepeatingStreamModel(Double.POSITIVE_INFINITY, repeatShare, distances);
  }

  /**
   * Returns the model of a finite stream in which a share of the records repeat an earlier record,
   * and all others are new.
   *
   * @param records the number of records
   * @param repeatShare the share of the records that are repeats
   * @param distances how far back the repeated record lies
   */
  static StreamModel recent(double records, double repeatShare, RepeatDistances distances) {
    return new RepeatingStreamModel(records, repeatShare, distances);
  }
}
