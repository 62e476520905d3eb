package dev.unseen.filter.recency;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Decides whether full lines replace their keys by later ones, or keep the keys that they have.
 *
 * <p>Replacing is right for nearly all streams, because a key that was seen lately is likely to
 * come again. It is wrong for a loop over more keys than fit: each key is replaced just before it
 * comes again, and none is ever found. So until a stream has shown that its keys come again soon,
 * some pages, the probes, do the opposite of the others:
 *
 * <pre>
 * at first pages replace their keys, and probes keep theirs:
 *   a key comes again for the first time while a quarter of the memory is free: evidence for replacing
 *   a key comes again for the first time in a full line: evidence for what its page does
 *   enough evidence for keeping: pages keep their keys, and other probes replace theirs
 * then:
 *   a key is not found in a full line: evidence against what its page does
 * enough evidence for replacing: all pages replace their keys, for good
 * </pre>
 *
 * <p>Evidence from a probe weighs as much as that from all pages that are not probes. A key counts
 * once, so a popular one has little influence. (Two policies that compete all the time were
 * measured too: on real streams the wrong one sometimes won. See decision 29.)
 */
final class Retention {
  /** The evidence of an event in a page that is not a probe. */
  private static final long UNIT = 256;

  /** One page in this number is a probe. */
  private static final int PAGES_PER_PROBE = 32;

  /** The number of keys that it takes at least, in addition to twice the false positives. */
  private static final long LEAST_KEYS = 64;

  /** The evidence of a key that comes again early. */
  private static final long EARLY_WEIGHT = 16 * UNIT;

  /** The evidence for replacing again, per root of a line: five standard deviations of chance. */
  private static final double CAUTION = 128;

  private final int probe; // the place of the probe among the pages of a group
  private final long keepingWeight; // of an event in a probe that keeps its keys
  private final long replacingWeight; // and in one that replaces them
  private final long limit; // the evidence that is enough for replacing
  private final long enough; // and for keeping, in proportion to the weight of a probe
  private final long most; // the most evidence for keeping, once keys are kept
  private long evidence; // for replacing, if positive
  private boolean keeping; // all pages but the probes

  /**
   * Creates the retention of a filter, of which this many new keys may be mistaken for known ones.
   */
  Retention(long lines, double falsePositives, boolean mayKeep) {
    long pages = lines / LinePairs.PAGE;
    this.probe = (int) Math.min(PAGES_PER_PROBE, pages) - 1;
    this.keepingWeight = weight(lines, probe);
    this.replacingWeight = weight(lines, probe - 1);
    this.limit = EARLY_WEIGHT * (LEAST_KEYS + (long) (2 * falsePositives));
    this.enough = limit * keepingWeight / ((PAGES_PER_PROBE - 1) * UNIT);
    this.most = limit + (long) (UNIT * CAUTION * Math.sqrt((double) lines));
    this.evidence = mayKeep && pages > 2 ? 0 : limit;
  }

  /** Returns the weight of the probes at one place of each group. */
  private static long weight(long lines, int place) {
    long pages = lines / LinePairs.PAGE;
    long probes = Math.max(1, (pages + PAGES_PER_PROBE - 1 - place) / PAGES_PER_PROBE);
    boolean last = (pages - 1) % PAGES_PER_PROBE == place;
    long inProbes = probes * LinePairs.PAGE + (last ? lines % LinePairs.PAGE : 0);
    return UNIT * (lines - inProbes) / inProbes;
  }

  /** Returns whether it is still open if lines replace or keep their keys. */
  boolean isOpen() {
    return evidence < limit;
  }

  /** Returns whether a page is a probe: which changes when lines begin to keep their keys. */
  private boolean isProbe(long page) {
    return page / LinePairs.PAGE % PAGES_PER_PROBE == (keeping ? probe - 1 : probe);
  }

  /** Returns whether lines keep their keys, except in probes. */
  boolean isKeeping() {
    return isOpen() && keeping;
  }

  /** Returns whether the lines of a page keep their keys. */
  boolean keeps(long page) {
    return isOpen() && isProbe(page) != keeping;
  }

  /** Counts a key that has come again for the first time while much of the memory was free. */
  void comesAgainEarly() {
    if (!keeping) {
      add(EARLY_WEIGHT);
    }
  }

  /** Counts a key that has come again for the first time, in a full line of a page. */
  void comesAgain(long page) {
    if (!keeping) {
      add(isProbe(page) ? -keepingWeight : UNIT);
    }
  }

  /** Counts a new key, or one that was forgotten, in a full line of a page. */
  void misses(long page) {
    if (keeping) {
      add(isProbe(page) ? -replacingWeight : UNIT);
    }
  }

  private void add(long change) {
    evidence = Math.max(-most, Math.min(limit, evidence + change));
    if (!keeping && evidence <= -enough) {
      keeping = true;
      evidence = -most;
    }
  }

  void state(StateVisitor visitor) throws IOException {
    evidence = visitor.number("evidence for replacing", evidence, -most, limit);
    keeping = visitor.number("keeping", keeping ? 1 : 0, 0, 1) == 1;
  }

  /** Merges another retention: the more evidence for replacing decides. */
  void merge(Retention other) {
    evidence = Math.max(evidence, other.evidence);
    keeping &= other.keeping;
  }
}
