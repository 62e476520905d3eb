package dev.unseen.filter.recency;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Decides whether full lines keep the keys that they have, or replace them by later ones.
 *
 * <p>Replacing is right for nearly all streams, because a key that was seen lately is likely to
 * come again. It is wrong for a loop over more keys than fit: each key is replaced just before it
 * comes again, and none is ever found. So a filter in which no key has come again while it filled
 * keeps its keys at first, and some of its pages, the probes, replace theirs.
 *
 * <pre>
 * a key comes again for the first time, in a line of a probe, or before the filter keeps keys: evidence
 *   for replacing
 * a key comes again for the first time, in a line that keeps its keys: evidence against it
 * from a limit on, the filter replaces keys, for good
 * </pre>
 *
 * <p>A key counts once, so a popular one has little influence. The decision is never taken back: a
 * loop that begins later is not recognized. (Two policies that compete all the time were measured
 * too: on real streams the wrong one sometimes won. See decision 29.)
 */
final class Retention {
  /** One page in this number is a probe. */
  private static final int PAGES_PER_PROBE = 32;

  /** The number of keys that it takes at least, in addition to twice the false positives. */
  private static final long LEAST_KEYS = 64;

  private final long probe; // the place of the probe among the pages of a group
  private final long weight; // of a key in a probe
  private final long limit;
  private long evidence;

  /**
   * Creates the retention of a filter.
   *
   * @param falsePositives the number of new keys that may be mistaken for known ones while the
   *     filter fills
   * @param mayKeep whether lines may keep keys at all
   */
  Retention(long lines, double falsePositives, boolean mayKeep) {
    long pages = lines / LinePairs.PAGE;
    this.probe = Math.min(PAGES_PER_PROBE, pages) - 1;
    this.weight = probe;
    this.limit = LEAST_KEYS + (long) (2 * falsePositives);
    this.evidence = mayKeep && pages > 1 ? 0 : limit;
  }

  /** Returns whether lines keep their keys, except in probes. */
  boolean isKeeping() {
    return evidence < limit;
  }

  /** Returns whether the page that begins with this line is a probe. */
  private boolean isProbe(long page) {
    return page / LinePairs.PAGE % PAGES_PER_PROBE == probe;
  }

  /** Returns whether the lines of a page keep their keys. */
  boolean keeps(long page) {
    return isKeeping() && !isProbe(page);
  }

  /**
   * Counts a key that has come again for the first time.
   *
   * @param kept whether its line keeps keys, and has no room
   */
  void comesAgain(long page, boolean kept) {
    long change = isProbe(page) ? weight : kept ? -1 : 1;
    evidence = Math.max(0, Math.min(limit, evidence + change));
  }

  /** Visits the evidence. */
  void state(StateVisitor visitor) throws IOException {
    evidence = visitor.number("evidence for replacing", evidence, 0, limit);
  }

  /** Merges another retention: the more evidence decides. */
  void merge(Retention other) {
    evidence = Math.max(evidence, other.evidence);
  }
}
