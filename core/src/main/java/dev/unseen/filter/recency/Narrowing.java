package dev.unseen.filter.recency;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import java.util.ArrayList;
import java.util.List;

/**
 * The shapes that a line of fingerprints goes through while it fills: at first few wide lanes, in
 * the end as many as the largest false positive rate allows. A new key is compared with n lanes of
 * w bits, so n / 2^w of the new keys are taken for seen ones.
 */
final class Narrowing {
  /** The most shapes: their number takes 4 bits of a line's header. */
  static final int MAX_SHAPES = 16;

  /** The most lanes, of sorted lines too: their number takes 6 bits. */
  static final int MAX_LANES = 63;

  /** While there is room, false positives are rarer than this. */
  private static final double ROOMY = 1e-7;

  /** Lanes from one shape to the next: to rewrite a line for each of them would cost time. */
  private static final int LEAST_STRIDE = 3;

  private Narrowing() {}

  /**
   * Returns at most this many shapes for lines with a header of these bits, the widest lanes first.
   */
  static Lanes[] shapes(int headerBits, int most, int mostShapes, Fingerprints fingerprints) {
    int first = Math.min(most, mostLanes(headerBits, ROOMY, fingerprints));
    int stride = Math.max(LEAST_STRIDE, (most - first + mostShapes - 2) / (mostShapes - 1));
    List<Lanes> shapes = new ArrayList<>();
    for (int lanes = first; lanes < most; lanes += stride) {
      shapes.add(new Lanes(headerBits, lanes));
    }
    shapes.add(new Lanes(headerBits, most));
    return shapes.toArray(Lanes[]::new);
  }

  /** Returns the most lanes whose false positives stay within a rate. */
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
