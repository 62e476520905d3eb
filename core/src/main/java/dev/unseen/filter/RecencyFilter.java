package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * RECENCY: fingerprints in lines of one cache line each, of which the least useful is pushed out.
 *
 * <pre>
 * a line:  [new keys, latest last][free][repeated keys, latest last][header]
 *
 * for each element e, in its line:
 *   if a lane holds its fingerprint: e is a DUPLICATE, and becomes the latest of the repeated,
 *     unless it is one of the latest few already, or one of the two latest of the new
 *   else e is DISTINCT:
 *     if all lanes are in use, narrow them
 *     e becomes the latest of the new; if that was the last free lane and they are at their
 *       narrowest, the line is full
 * </pre>
 *
 * From then on {@link FullLines} says what is kept: new keys and repeated ones are two queues, and
 * a target, which follows the stream, tells how many lanes each has.
 *
 * <p>Where the target is high, keys are popular, and their order is of little use. A full line is
 * then sorted at its next new key, which makes room for more of them (see {@link SortedLines}), and
 * put back in order when the target has come down. One line in sixteen is never sorted: from those
 * the target goes on learning.
 *
 * <p>With {@link Refresh#NEVER} there are new keys only. With {@link Refresh#ALWAYS} all keys are
 * among the repeated, in the order in which they were last seen, and a line stays so when it is
 * full.
 */
final class RecencyFilter extends LineFilter {
  private final Refresh refresh;
  private final FullLines fullLines;
  private final SortedLines sorted; // null if lines are never sorted
  private long forgotten;

  RecencyFilter(FilterSpec spec) {
    super(spec, LineForm.of(spec));
    this.refresh = spec.refresh();
    this.sorted = form.sorted();
    this.fullLines = new FullLines(shapes[shapes.length - 1], lines, sorted != null);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    fullLines.setTarget(visitor.number("target", fullLines.target(), 0, fullLines.fullTarget()));
    forgotten = visitor.number("forgotten", forgotten, 0, Long.MAX_VALUE);
    super.state(visitor);
  }

  @Override
  void mergeNumbers(LineFilter filter) {
    RecencyFilter other = (RecencyFilter) filter;
    fullLines.setTarget((fullLines.target() + other.fullLines.target()) / 2);
    forgotten += other.forgotten;
  }

  /**
   * Both queues of both lines, in turn. A key that is new to both was seen twice, so it is one of
   * the repeated. What does not fit goes as in a full line.
   */
  @Override
  void mergeLine(long[] line, int at, LineFilter other, long[] from, int fromAt) {
    long a = line[at + LineHeader.WORD];
    long b = from[fromAt + LineHeader.WORD];
    int level = Math.max(level(a), level(b));
    boolean sort = level == shapes.length;
    int width = sort ? fingerprints.bits() : shapes[level].width();
    int room = sort ? sorted.capacity() : capacity;
    LineUnion.Part newA = newKeys(line, at, a);
    LineUnion.Part newB = newKeys(from, fromAt, b);
    LineUnion repeated = new LineUnion(2 * room, width);
    repeated.addInTurn(repeatedKeys(line, at, a), repeatedKeys(from, fromAt, b));
    LineUnion news = new LineUnion(2 * room, width);
    news.addInTurn(newA, newB);
    if (refresh == Refresh.ADAPTIVE) {
      for (int i = 0; i < newA.size(); i++) {
        if (newB.contains(newA.get(i), (1L << width) - 1)) {
          repeated.add(newA.get(i));
        }
      }
    }
    news.removeAll(repeated);
    while (repeated.size() + news.size() > room) {
      boolean manyRepeated = !sort && repeated.size() > fullLines.mostRepeated();
      (news.size() == 0 || manyRepeated ? repeated : news).dropLast(1);
    }
    int count = repeated.size() + news.size();
    if (sort) {
      sorted.clear(line, at);
      repeated.write(sorted, line, at, 0, true);
      news.write(sorted, line, at, repeated.size(), false);
    } else {
      level = levelFor(count, level);
      LineUnion.clear(line, at);
      news.write(shapes[level], line, at, news.size() - 1, -1);
      repeated.write(shapes[level], line, at, shapes[level].count() - 1, -1);
      LineHeader.set(line, at, count, repeated.size(), level);
      closeIfFull(line, at);
    }
    countUsed(level, count);
  }

  private LineUnion.Part repeatedKeys(long[] line, int at, long header) {
    if (isSorted(header)) {
      return sorted.part(line, at, LineHeader.used(header), true);
    }
    Lanes lanes = shapes[level(header)];
    return LineUnion.Part.of(lanes, line, at, lanes.count() - 1, -1, LineHeader.repeated(header));
  }

  private LineUnion.Part newKeys(long[] line, int at, long header) {
    if (isSorted(header)) {
      return sorted.part(line, at, LineHeader.used(header), false);
    }
    if (LineHeader.isFull(header)) {
      return fullLines.newKeys(line, at, header);
    }
    int count = LineHeader.used(header) - LineHeader.repeated(header);
    return LineUnion.Part.of(shapes[level(header)], line, at, count - 1, -1, count);
  }

  /** The shape of a line, or the one after them all if it is sorted. */
  private int level(long header) {
    return LineHeader.isFull(header) ? shapes.length - 1 : LineHeader.level(header);
  }

  @Override
  int lanesUsed(long[] line, int at) {
    long header = line[at + LineHeader.WORD];
    return LineHeader.isFull(header) ? capacity : LineHeader.used(header);
  }

  @Override
  boolean isSorted(long[] line, int at) {
    return isSorted(line[at + LineHeader.WORD]);
  }

  private boolean isSorted(long header) {
    return LineHeader.level(header) == shapes.length;
  }

  @Override
  boolean holds(long[] line, int at, long fingerprint, long millis) {
    long header = line[at + LineHeader.WORD];
    if (LineHeader.isFull(header)) {
      return fullLines.find(line, at, fingerprint) >= 0;
    }
    if (isSorted(header)) {
      return sorted.holds(line, at, LineHeader.used(header), fingerprint);
    }
    return find(line, at, header, fingerprint) >= 0;
  }

  /** The lane of a fingerprint in a line that is neither full nor sorted, or -1. */
  private int find(long[] line, int at, long header, long fingerprint) {
    Lanes lanes = shapes[LineHeader.level(header)];
    int repeated = LineHeader.repeated(header);
    long inUse = lanes.first(LineHeader.used(header) - repeated) | lanes.last(repeated);
    return lanes.find(line, at, fingerprint, inUse);
  }

  @Override
  boolean isFull(long[] line, int at) {
    return LineHeader.isFull(line[at + LineHeader.WORD]);
  }

  @Override
  int takeFull(int i, int end, int from, long[] fresh) {
    int next = i;
    do {
      long[] line = words.chunk(firstWords[next]);
      int at = Words.inChunk(firstWords[next]);
      long header = line[at + LineHeader.WORD];
      if (!LineHeader.isFull(header)) {
        return next;
      }
      if (takeFull(line, at, header, prints[next])) {
        fresh[(from + next) >>> 6] |= 1L << (from + next);
      }
    } while (++next < end);
    return next;
  }

  private boolean takeFull(long[] line, int at, long header, long fingerprint) {
    int lane = fullLines.find(line, at, fingerprint);
    if (lane >= 0) {
      if (fullLines.isMove(header, lane) && refresh == Refresh.ADAPTIVE) {
        fullLines.repeat(line, at, header, lane, fingerprint);
      }
      return false;
    }
    if (fullLines.isQuick(header)) {
      forgotten++;
      fullLines.replaceNew(line, at, header, fingerprint);
    } else {
      replace(line, at, header, fingerprint);
    }
    return true;
  }

  /** Where lines are to be sorted, all new keys come here. */
  private void replace(long[] line, int at, long header, long fingerprint) {
    if (!fullLines.areSorted() || FullLines.isLeader(at)) {
      forgotten++;
      fullLines.replace(line, at, header, fingerprint);
      return;
    }
    int level = shapes.length - 1;
    sorted.sort(line, at, shapes[level], copy(line, at), capacity, LineHeader.repeated(header));
    countUsed(level, -capacity);
    countUsed(shapes.length, capacity);
    addSorted(line, at, line[at + LineHeader.WORD], fingerprint);
  }

  @Override
  boolean take(long[] line, int at, long fingerprint) {
    long header = line[at + LineHeader.WORD];
    if (LineHeader.isFull(header)) {
      return takeFull(line, at, header, fingerprint);
    }
    return isSorted(header)
        ? takeSorted(line, at, header, fingerprint)
        : takeInOrder(line, at, header, fingerprint);
  }

  private boolean takeInOrder(long[] line, int at, long header, long fingerprint) {
    int lane = find(line, at, header, fingerprint);
    if (lane < 0) {
      add(line, at, header, fingerprint);
      return true;
    }
    Lanes lanes = shapes[LineHeader.level(header)];
    if (refresh == Refresh.ALWAYS) {
      lanes.toBack(line, at, lane, fingerprint);
    } else if (refresh == Refresh.ADAPTIVE) {
      int repeated = LineHeader.repeated(header);
      int news = LineHeader.used(header) - repeated;
      boolean stays =
          lane < news
              ? FullLines.isBurst(news - 1 - lane)
              : FullLines.isLate(lanes.count() - 1 - lane, repeated);
      if (!stays) {
        line[at + LineHeader.WORD] += lane < news ? LineHeader.ONE_REPEATED : 0;
        lanes.toBack(line, at, lane, fingerprint);
      }
    }
    return false;
  }

  private void add(long[] line, int at, long header, long fingerprint) {
    int used = LineHeader.used(header);
    int repeated = LineHeader.repeated(header);
    int level = LineHeader.level(header);
    if (used == capacity) { // always refreshed
      forgotten++;
      shapes[level].toBack(line, at, 0, fingerprint);
      return;
    }
    if (used == shapes[level].count()) {
      narrow(line, at, level, repeated);
      level++;
    }
    countUsed(level, 1);
    if (refresh == Refresh.ALWAYS) {
      shapes[level].toBack(line, at, shapes[level].count() - 1 - used, fingerprint);
      repeated++;
    } else {
      shapes[level].set(line, at, used - repeated, fingerprint);
    }
    LineHeader.set(line, at, used + 1, repeated, level);
    closeIfFull(line, at);
  }

  private void closeIfFull(long[] line, int at) {
    long header = line[at + LineHeader.WORD];
    if (LineHeader.used(header) == capacity && refresh != Refresh.ALWAYS) {
      fullLines.close(line, at, LineHeader.repeated(header));
    }
  }

  @Override
  public OptionalLong forgotten() {
    return OptionalLong.of(forgotten);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return forgotten == 0 ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  private boolean takeSorted(long[] line, int at, long header, long fingerprint) {
    int used = LineHeader.used(header);
    if (sorted.mark(line, at, used, fingerprint)) {
      return false;
    }
    if (fullLines.staySorted()) {
      addSorted(line, at, header, fingerprint);
      return true;
    }
    int level = shapes.length - 1;
    sorted.putInOrder(line, at, shapes[level], copy(line, at), used, fullLines.mostRepeated());
    closeIfFull(line, at);
    countUsed(shapes.length, -used);
    countUsed(level, lanesUsed(line, at));
    forgotten += used - lanesUsed(line, at);
    return take(line, at, fingerprint);
  }

  private void addSorted(long[] line, int at, long header, long fingerprint) {
    int used = LineHeader.used(header);
    if (used < sorted.capacity()) {
      countUsed(shapes.length, 1);
      sorted.add(line, at, used, fingerprint, false);
    } else {
      forgotten++;
      sorted.replace(
          line, at, LineHeader.repeated(header), fingerprint, fullLines.ages(fingerprint));
    }
  }
}
