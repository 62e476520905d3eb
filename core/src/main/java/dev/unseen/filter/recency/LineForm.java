package dev.unseen.filter.recency;

import static dev.unseen.bits.Fingerprints.LOW_BITS;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.SortedLanes;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Describes the lines of a filter: the shapes that they go through as they fill, and the shape of a
 * sorted line, if that makes room for enough more keys. Each shape has a level: from 0 on for the
 * filling lines, and the one after them for sorted lines. Forms are shared.
 *
 * <p>A line narrows as it fills: few wide lanes at first, and in the end as many as the largest
 * false positive rate allows. A new key is compared with n lanes of w bits, so n / 2^w of the new
 * keys are treated as seen.
 *
 * <p>A line is sorted and put back in order without a loss, so both forms must store the same
 * fingerprints: a quotient below Q and a remainder of r bits. Of all n, Q and r that fit into a
 * line and meet the false positive rate, n / (Q 2^r), those with the largest n are used.
 */
public final class LineForm {
  /** A sorted line must have at least this many times the lanes of a line in order. */
  private static final double LEAST_GAIN = 1;

  /** The lines in order may lose this share of their lanes to the fingerprints of sorted ones. */
  private static final double MOST_LOSS = 0.1;

  /** The largest number of shapes, because the level has 4 bits in a line's header. */
  private static final int MAX_SHAPES = 16;

  /** The largest number of lanes, also of sorted lines: it has 6 bits in a line's header. */
  static final int MAX_LANES = 63;

  /** The false positive rate while there is room is below this. */
  private static final double ROOMY = 1e-7;

  /** The lanes from one shape to the next: rewriting a line for each would take too much time. */
  private static final int LEAST_STRIDE = 3;

  private static final Map<List<Integer>, LineForm> SHARED = new ConcurrentHashMap<>();

  private final Lanes[] shapes;
  private final Fingerprints fingerprints;
  private final @Nullable SortedLanes sorted; // null if lines are never sorted

  private LineForm(Lanes[] shapes, Fingerprints fingerprints, @Nullable SortedLanes sorted) {
    this.shapes = shapes;
    this.fingerprints = fingerprints;
    this.sorted = sorted;
  }

  public static LineForm of(FilterSpec spec) {
    double rate = spec.maxFpr() / 2; // a key is compared with the lanes of two lines
    return spec.window().isNone()
        ? of(Lines.HEADER_BITS, rate, spec.refresh() == Refresh.ADAPTIVE)
        : of(WindowLayout.of(spec.window()), rate);
  }

  private static LineForm of(WindowLayout layout, double maxFpr) {
    int notes = layout.noteBits();
    int most = Math.min(Lanes.MOST, Long.SIZE - WindowLines.headerBits(0, layout.groups()));
    while (!keeps(maxFpr, most, widthOf(layout, most) - notes, LinePairs.BITS, LOW_BITS)) {
      most--;
    }
    int lanes = most;
    int header = WindowLines.headerBits(lanes, layout.groups());
    return SHARED.computeIfAbsent(
        List.of(header, lanes, notes),
        key -> new LineForm(narrowing(header, lanes, MAX_SHAPES, LOW_BITS, notes), LOW_BITS, null));
  }

  private static int widthOf(WindowLayout layout, int lanes) {
    return Lanes.widthOf(WindowLines.headerBits(lanes, layout.groups()), lanes);
  }

  static LineForm of(int headerBits, double maxFpr, boolean mayBeSorted) {
    SortedShape sorted = mayBeSorted ? sortedShape(headerBits, maxFpr) : SortedShape.NONE;
    int most = mostLanes(headerBits, maxFpr, sorted.fingerprints());
    return SHARED.computeIfAbsent(
        List.of(headerBits, most, sorted.lanes, sorted.quotients, sorted.remainderBits),
        key -> create(headerBits, most, sorted));
  }

  private static LineForm create(int headerBits, int most, SortedShape sorted) {
    Fingerprints fingerprints = sorted.fingerprints();
    int levels = MAX_SHAPES - (sorted.isNone() ? 1 : 2); // one is for full lines, one for sorted
    return new LineForm(
        narrowing(headerBits, most, levels, fingerprints, 0),
        fingerprints,
        sorted.isNone() ? null : new SortedLanes(headerBits, sorted.lanes, fingerprints));
  }

  /** Returns at most this number of shapes, the widest lanes first, which have a note each. */
  private static Lanes[] narrowing(
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
  private static int mostLanes(int headerBits, double maxFpr, Fingerprints prints) {
    int lanes = Lanes.MOST;
    while (!keeps(maxFpr, lanes, Lanes.widthOf(headerBits, lanes), prints.bits(), prints)) {
      lanes--;
    }
    return lanes;
  }

  private static boolean keeps(
      double maxFpr, int lanes, int width, int leastWidth, Fingerprints fingerprints) {
    return width >= leastWidth && lanes * fingerprints.chance(width) <= maxFpr;
  }

  /** Returns the shapes of a line in order, the widest lanes first, in a shared array. */
  Lanes[] shapes() {
    return shapes;
  }

  /** Returns the last of the shapes, which has the most lanes. */
  Lanes narrowest() {
    return shapes[shapes.length - 1];
  }

  /** Returns the largest number of lanes of a line in order. */
  public int fullLanes() {
    return narrowest().count();
  }

  /** Returns the largest number of lanes of a line, in order or sorted. */
  public int mostLanes() {
    return sorted == null ? narrowest().count() : sorted.count();
  }

  /** Returns the shapes that a line in order goes through as it fills, the first one first. */
  public List<LineShape> lineShapes() {
    return Arrays.stream(shapes)
        .map(
            lanes ->
                new LineShape(lanes.count(), lanes.width(), fingerprints.chance(lanes.width())))
        .toList();
  }

  Fingerprints fingerprints() {
    return fingerprints;
  }

  /** Returns the lanes of a sorted line, or null if lines are never sorted. */
  @Nullable SortedLanes sorted() {
    return sorted;
  }

  int levels() {
    return shapes.length + (sorted == null ? 0 : 1);
  }

  boolean isSorted(int level) {
    return level == shapes.length;
  }

  int width(int level) {
    return isSorted(level) ? fingerprints.bits() : shapes[level].width();
  }

  /** Returns the most lanes that a line at this level can have later: a line in order narrows. */
  int mostLanes(int level) {
    return isSorted(level) && sorted != null ? sorted.count() : narrowest().count();
  }

  /** Returns the first level, from this one on, that has this number of lanes, or the last. */
  int levelFor(int lanes, int from) {
    int level = from;
    while (level < shapes.length - 1 && shapes[level].count() < lanes) {
      level++;
    }
    return level;
  }

  /**
   * The shape with n lanes, the most, Q quotients and r bits of a remainder. If there are several,
   * it costs the lines in order least.
   */
  private record SortedShape(int lanes, int quotients, int remainderBits) {
    static final SortedShape NONE = new SortedShape(0, 1, 0);

    /** Avoids the {@code equals} of records, which adds 30 ms to startup. */
    boolean isNone() {
      return lanes == 0;
    }

    Fingerprints fingerprints() {
      return isNone() ? LOW_BITS : new Fingerprints(remainderBits, quotients);
    }
  }

  private static SortedShape sortedShape(int headerBits, double maxFpr) {
    int inOrder = mostLanes(headerBits, maxFpr, LOW_BITS);
    for (int count = MAX_LANES; count >= LEAST_GAIN * inOrder; count--) {
      SortedShape best = SortedShape.NONE;
      double most = (1 - MOST_LOSS) * inOrder;
      for (int rest = 1; rest < Integer.SIZE; rest++) {
        int quotients = SortedLanes.mostQuotients(headerBits, count, rest);
        if (quotients > 1) {
          Fingerprints fingerprints = new Fingerprints(rest, quotients);
          boolean keeps = count * fingerprints.chance(fingerprints.bits()) <= maxFpr;
          int lanes = keeps ? mostLanes(headerBits, maxFpr, fingerprints) : 0;
          if (lanes > most) {
            most = lanes;
            best = new SortedShape(count, quotients, rest);
          }
        }
      }
      if (!best.isNone()) {
        return best;
      }
    }
    return SortedShape.NONE;
  }
}
