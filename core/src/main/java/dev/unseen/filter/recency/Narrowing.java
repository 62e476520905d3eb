package dev.unseen.filter.recency;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the shapes that a line of fingerprints goes through while it fills: few wide lanes at
 * first, and in the end as many lanes as the largest false positive rate allows. A new key is
 * compared with n lanes of w bits, so n / 2^w of the new keys are treated as seen.
 */
final class Narrowing {
  /** The largest number of shapes, because the level has 4 bits in a line's header. */
  static final int MAX_SHAPES = 16;

  /** The largest number of lanes, also of sorted lines: it has 6 bits in a line's header. */
  static final int MAX_LANES = 63;

  /** The false positive rate while there is room is below this. */
  private static final double ROOMY = 1e-7;

  /** The lanes from one shape to the next: rewriting a line for each would take too much time. */
  private static final int LEAST_STRIDE = 3;

  private Narrowing() {}

  static Lanes[] shapes(int headerBits, int most, int mostShapes, Fingerprints fingerprints) {
    return shapes(headerBits, most, mostShapes, fingerprints, 0);
  }

  /** Returns shapes whose lanes have a note of this number of bits next to the fingerprint. */
  static Lanes[] shapes(
      int headerBits, int most, int mostShapes, Fingerprints fingerprints, int noteBits) {
    int first = Math.min(most, mostLanes(headerBits + 10 * noteBits, ROOMY, fingerprints));
    int stride = Math.max(LEAST_STRIDE, (most - first + mostShapes - 2) / (mostShapes - 1));
    List<Lanes> shapes = new ArrayList<>();
    for (int lanes = first; lanes < most; lanes += stride) {
      shapes.add(new Lanes(headerBits, lanes, noteBits));
    }
    shapes.add(new Lanes(headerBits, most, noteBits));
    return shapes.toArray(Lanes[]::new);
  }

  /** Returns the largest number of lanes whose false positive rate is at most this. */
  static int mostLanes(int headerBits, double maxFpr, Fingerprints fingerprints) {
    int lanes = Lanes.MOST;
    while (!keeps(maxFpr, lanes, Lanes.widthOf(headerBits, lanes), fingerprints)) {
      lanes--;
    }
    return lanes;
  }

  private static boolean keeps(double maxFpr, int lanes, int width, Fingerprints fingerprints) {
    return width >= fingerprints.bits() && lanes * fingerprints.chance(width) <= maxFpr;
  }
}
