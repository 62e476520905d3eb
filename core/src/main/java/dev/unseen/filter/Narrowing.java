package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The shapes that a line of fingerprints goes through while it fills: at first few wide lanes, in
 * the end as many as the largest false positive rate allows. A new key is compared with n lanes of
 * w bits, so n / 2^w of the new keys are taken for seen ones.
 */
final class Narrowing {
  /** The most shapes: their number takes 4 bits of a line's header. */
  static final int MAX_SHAPES = 16;

  /** While there is room, false positives are rarer than this. */
  private static final double ROOMY = 1e-7;

  private static final Map<List<Integer>, Lanes[]> SHARED = new ConcurrentHashMap<>();

  private Narrowing() {}

  /** The shapes for lines with such a header, the widest lanes first. Shared: not to be written. */
  static Lanes[] shapes(int headerBits, double maxFpr) {
    int most = mostLanes(headerBits, maxFpr);
    return SHARED.computeIfAbsent(List.of(headerBits, most), key -> shapesUpTo(most, headerBits));
  }

  private static Lanes[] shapesUpTo(int most, int headerBits) {
    int first = Math.min(most, mostLanes(headerBits, ROOMY));
    int stride = Math.max(1, (most - first + MAX_SHAPES - 2) / (MAX_SHAPES - 1));
    List<Lanes> shapes = new ArrayList<>();
    for (int lanes = first; lanes < most; lanes += stride) {
      shapes.add(new Lanes(headerBits, lanes));
    }
    shapes.add(new Lanes(headerBits, most));
    return shapes.toArray(Lanes[]::new);
  }

  /** The most lanes whose false positives stay within a rate. */
  private static int mostLanes(int headerBits, double maxFpr) {
    int lanes = Lanes.MOST;
    while (fpr(lanes, Lanes.widthOf(headerBits, lanes)) > maxFpr) {
      lanes--;
    }
    return lanes;
  }

  /** Of the new keys, the share that finds its fingerprint in one of so many lanes. */
  static double fpr(double lanes, int width) {
    return Math.scalb(lanes, -width);
  }
}
