package dev.unseen.plan.predict;

import dev.unseen.plan.stream.StreamModel;

/**
 * The state of a filter at record t, from the resets it has met so far.
 *
 * <p>Take one position, and the last reset that it met, at record u. Resets hit it whatever its bit
 * is, and any key that hashes to it and finds it clear sets it. So it is clear at t if and only if
 * no record in between has hashed to it: with chance e^(-D/s), D the distinct keys among the stored
 * records from u to t. With B(t) the resets met on average, the position of a key that was stored
 * at record v is clear with chance
 *
 * <pre>  z(v) = integral over u from v to t of  e^-(B(t) - B(u)) e^(-D(u,t)/s) dB(u)  </pre>
 *
 * and a position that no arriving record knows of with 1 - p = z(0) + e^(-B(t) - D(0,t)/s). This is
 * the chain over (c, bit) of the keys that share the position, summed up: keys that return set the
 * bit again, which the paper's theory leaves out.
 *
 * <p>One walk back from t gives z for all v, and with it the chance that a duplicate is missed, 1 -
 * (1 - z)^k, averaged over the distances. Between two points of the walk, B, D and the chance of a
 * miss are taken as straight lines, the distances are not: the average distance between two points
 * is known from y and D.
 */
final class Lookback {
  private static final double NEGLIGIBLE = 1e-13;

  /** From this number of rounds on, the coin's chance in each round is assumed to be small. */
  private static final int MANY_ROUNDS = 256;

  private final FilterLaw law;
  private final StreamModel stream;
  private final LookbackGrid grid;
  private double fixedLoad = Double.NaN;

  Lookback(FilterLaw law, StreamModel stream, LookbackGrid grid) {
    this.law = law;
    this.stream = stream;
    this.grid = grid;
  }

  /** Fixes the load: from now on the filter sets as many bits as it resets. */
  void fixLoad(double load) {
    fixedLoad = load;
  }

  /** Returns the state at record t, which is the last moment of the history. */
  FilterState stateAt(double t, ResetHistory history) {
    return new Walk(t, history).state();
  }

  /** Returns (1 - e^-x)/x, the mean of e^-u over u from 0 to x. */
  private static double meanDecay(double x) {
    return x < 1e-5 ? 1 - x / 2 : -Math.expm1(-x) / x;
  }

  private final class Walk {
    final double t;
    final ResetHistory.Backwards history;
    final double resetsNow;

    // At the point reached. "stored" counts records that the coin chose since then.
    double stored;
    double unseen = 1;
    double distinct;
    double hazard;
    double kept = 1; // e^(-hazard - distinct/s)
    double clear; // z
    double clearBefore; // z at the point before
    double missChance; // 1 - (1 - z)^k

    // Only for a coin on a stream whose order matters, see readThinned.
    double lagReached;
    double unseenReached = 1;
    double odds;

    // Sums over the distances passed.
    double missed;
    double found;

    Walk(double t, ResetHistory history) {
      this.t = t;
      this.history = history.new Backwards();
      this.resetsNow = this.history.at(t);
    }

    FilterState state() {
      int n = grid.pointsBefore(t);
      for (int i = 0; i < n && kept > NEGLIGIBLE; i++) {
        stepTo(grid.lag(i, n, t), i);
      }
      stepTo(t, -1);
      double untouched = Math.exp(-distinct / law.bankBits());
      double load =
          Double.isNaN(fixedLoad)
              ? 1 - (clear + law.reach() * kept + (1 - law.reach()) * untouched)
              : fixedLoad;
      double y = stream.unseen(t);
      double allSet = law.ofAll(load);
      double neverStored = Math.max(0, unseen - y); // seen before, but the coin said no each time
      return new FilterState(
          load,
          y,
          y * allSet,
          missed + neverStored * (1 - allSet),
          y * (1 - load) + found + neverStored * (1 - load));
    }

    private void stepTo(double lag, int point) {
      double storedBefore = stored;
      double unseenBefore = unseen;
      double distinctBefore = distinct;
      readStream(lag, point);
      forget(lag, distinct - distinctBefore);
      double missBefore = missChance;
      missChance = 1 - law.ofAll(1 - clear);
      // The duplicates whose key was last stored between the two points, and where on average.
      double mass = unseenBefore - unseen;
      double width = stored - storedBefore;
      if (mass > 0 && width > 0) {
        double moment = storedBefore * unseenBefore - stored * unseen + distinct - distinctBefore;
        double x = Math.max(0, Math.min(1, (moment / mass - storedBefore) / width));
        missed += mass * (missBefore + x * (missChance - missBefore));
        found += mass * (clearBefore + x * (clear - clearBefore));
      }
    }

    private void readStream(double lag, int point) {
      if (law.storesAll()) {
        stored = lag;
        unseen = point < 0 ? stream.unseen(lag) : grid.unseen(point);
        distinct = point < 0 ? stream.distinct(lag) : grid.distinct(point);
      } else if (stream.exchangeable()) {
        stored = law.chosenAmongLast(lag, t);
        unseen = stream.unseen(stored);
        distinct = stream.distinct(stored);
      } else if (stream.period().isPresent()) {
        readLoop(lag, stream.period().getAsDouble());
      } else {
        readThinned(lag);
      }
    }

    /**
     * On a loop the records of a key are one round apart, and the coin is tossed for each: v is the
     * chance that it said no to all within the distance. A record at that distance is the last
     * stored one of its key if the coin chose it, and none of the rounds since.
     */
    private void readLoop(double lag, double round) {
      double storedBefore = stored;
      stored = law.chosenAmongLast(lag, t);
      double middle = (lag + lagReached) / 2;
      double since = Math.max(0, Math.ceil(middle / round) - 1);
      distinct += (stored - storedBefore) * neverChosen(t - middle, round, since);
      double before = Math.floor(lag / round);
      unseen = neverChosen(t - (before + 1) * round, round, before);
      lagReached = lag;
    }

    /** Returns the chance that the coin said no to a key in this number of following rounds. */
    private double neverChosen(double from, double round, double rounds) {
      if (rounds > MANY_ROUNDS) {
        double middle = from + (rounds + 0.5) * round;
        return Math.exp(-law.chosenAmongLast(rounds * round, middle) / round);
      }
      double chance = 1;
      for (int i = 1; i <= rounds; i++) {
        chance *= 1 - law.storeChance(from + i * round);
      }
      return chance;
    }

    /**
     * If a record has n earlier ones of its key, each next with chance 1 - y, and the coin says no
     * to each with 1 - c, then (1 - v)/v = c (1 - y)/y for the chance v that it said no to all.
     * That holds for a constant c; here each stretch adds its own. Good to a few percent.
     */
    private void readThinned(double lag) {
      double storedBefore = stored;
      double y = stream.unseen(lag);
      stored = law.chosenAmongLast(lag, t);
      double c = lag > lagReached ? (stored - storedBefore) / (lag - lagReached) : 0;
      odds += c * (1 / y - 1 / unseenReached);
      unseen = 1 / (1 + odds);
      double middle = (1 / y + 1 / unseenReached) / 2;
      distinct += (stored - storedBefore) / (1 + c * (middle - 1));
      lagReached = lag;
      unseenReached = y;
    }

    private void forget(double lag, double newKeys) {
      double hazardBefore = hazard;
      hazard = law.hazard(resetsNow - history.at(t - lag));
      double resets = Math.max(0, hazard - hazardBefore);
      double gone = resets + newKeys / law.bankBits();
      clearBefore = clear;
      clear += law.reach() * kept * resets * meanDecay(gone);
      kept *= Math.exp(-gone);
    }
  }
}
