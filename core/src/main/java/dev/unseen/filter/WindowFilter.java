package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import java.io.IOException;

/**
 * RECENCY with a window: fingerprints in lines of one cache line each, latest first, each of them
 * valid until its window has passed.
 *
 * <pre>
 * a line:  [header][latest]...[oldest][free]
 *
 * for each element e, in its line:
 *   shift the counts of the header by the steps that have passed, which drops lanes that are too old
 *   if a lane holds its fingerprint: e is a DUPLICATE; unless it is not to be refreshed, it becomes
 *     the first
 *   else e is DISTINCT: it becomes the first; if all lanes are in use, narrow them; if they are at
 *     their narrowest, the last is pushed out
 * </pre>
 *
 * Time is counted in steps of an eighth of the window. Since lanes are in the order of their age,
 * eight counts tell the ages of all: {@code counts[i]} lanes are at most i steps old. The header is
 * one word of 64 bits: eight counts of 6 bits, the level in 4, and in 12 the step at which the line
 * was last used. Those 12 bits come round after 4096 steps, so the lines are swept in turn, a few
 * at each step, and none is left alone for so long.
 */
final class WindowFilter extends LineFilter implements Windowed {
  static final int HEADER_BITS = 64;
  private static final int HEADER_WORD = Lanes.WORDS - 1;
  private static final int COUNT_BITS = 6;
  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
  private static final int COUNTS_BITS = Window.STEPS * COUNT_BITS;
  private static final long COUNTS_MASK = (1L << COUNTS_BITS) - 1;
  private static final int LAST_COUNT = COUNTS_BITS - COUNT_BITS;
  private static final int LEVEL_MASK = Narrowing.MAX_SHAPES - 1;
  private static final int STEP_SHIFT = COUNTS_BITS + 4;
  private static final int STEP_MASK = (1 << (Long.SIZE - STEP_SHIFT)) - 1;
  private static final long ONE_EACH = COUNTS_MASK / COUNT_MASK; // 1 in each count

  private static final long STEPS_OF_SWEEP = 1024;

  private final Window window;
  private final boolean refreshes;
  private long records;
  private long step;
  private long nextStepAt; // the moment at which the next step begins
  private long nextSwept; // the line whose turn it is
  private double departed;
  private double kept;
  private long mergedFrom; // during a merge: the step that each line's age is counted from
  private long otherMergedFrom;

  WindowFilter(FilterSpec spec) {
    super(spec, LineForm.of(spec));
    this.window = spec.window();
    this.refreshes = spec.refresh() != Refresh.NEVER;
    this.nextStepAt = window.isTime() ? Long.MIN_VALUE : window.firstMomentOf(1);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    records = visitor.number("records", records, 0, Long.MAX_VALUE);
    step = visitor.number("step", step);
    nextStepAt = visitor.number("next step", nextStepAt);
    nextSwept = visitor.number("next line to sweep", nextSwept, 0, lines - 1);
    departed = visitor.real("departed", departed);
    kept = visitor.real("kept", kept);
    super.state(visitor);
  }

  /** With a window of time, the later of two times; with one of records, each keeps its ages. */
  @Override
  void mergeNumbers(LineFilter filter) {
    WindowFilter other = (WindowFilter) filter;
    mergedFrom = window.isTime() ? Math.max(step, other.step) : step;
    otherMergedFrom = window.isTime() ? mergedFrom : other.step;
    if (window.isTime() ? other.step > step : other.records > records) {
      step = other.step;
      nextStepAt = other.nextStepAt;
      records = other.records;
    }
    departed += other.departed;
    kept += other.kept;
  }

  /** Age by age, both lines in turn; what does not fit is the oldest. */
  @Override
  void mergeLine(long[] line, int at, LineFilter other, long[] from, int fromAt) {
    long a = headerAt(mergedFrom, line[at + HEADER_WORD]);
    long b = headerAt(otherMergedFrom, from[fromAt + HEADER_WORD]);
    int level = Math.max(level(a), level(b));
    LineUnion all = new LineUnion(2 * capacity, shapes[level].width());
    long counts = 0;
    for (int age = 0; age < Window.STEPS; age++) {
      all.addInTurn(lanesOfAge(line, at, a, age), lanesOfAge(from, fromAt, b, age));
      all.dropLast(Math.max(0, all.size() - capacity));
      counts |= (long) all.size() << (age * COUNT_BITS);
    }
    level = levelFor(all.size(), level);
    LineUnion.clear(line, at);
    all.write(shapes[level], line, at, 0, 1);
    line[at + HEADER_WORD] =
        counts | ((long) level << COUNTS_BITS) | ((step & STEP_MASK) << STEP_SHIFT);
    countUsed(level, all.size());
  }

  private LineUnion.Part lanesOfAge(long[] line, int at, long header, int age) {
    int end = (int) (header >>> (age * COUNT_BITS)) & COUNT_MASK;
    int begin = age == 0 ? 0 : (int) (header >>> ((age - 1) * COUNT_BITS)) & COUNT_MASK;
    return LineUnion.Part.of(shapes[level(header)], line, at, begin, 1, end - begin);
  }

  @Override
  public void advanceTo(long millis) {
    if (window.isTime() && millis >= nextStepAt) {
      moveTo(millis);
    }
  }

  private void moveTo(long moment) {
    long before = step;
    boolean first = nextStepAt == Long.MIN_VALUE;
    step = window.stepOf(moment);
    nextStepAt = window.firstMomentOf(step + 1);
    if (!first) {
      sweep(step - before);
    }
  }

  /** Brings some lines up to date: all of them in the course of so many steps. */
  private void sweep(long passed) {
    long share = Math.min(passed, STEPS_OF_SWEEP) * lines / STEPS_OF_SWEEP + 1;
    for (long i = Math.min(lines, share); i > 0; i--) {
      long word = nextSwept * Lanes.WORDS + HEADER_WORD;
      long last = words.get(word);
      long header = passed >= Window.STEPS ? 0 : headerAt(step, last);
      dropOld(last, header);
      words.set(word, header);
      nextSwept = nextSwept + 1 == lines ? 0 : nextSwept + 1;
    }
  }

  @Override
  int lanesUsed(long[] line, int at) {
    return count(line[at + HEADER_WORD]);
  }

  @Override
  boolean holds(long[] line, int at, long fingerprint, long millis) {
    long header = headerAt(stepAt(millis), line[at + HEADER_WORD]);
    Lanes lanes = shapes[level(header)];
    return lanes.find(line, at, fingerprint, lanes.first(count(header))) >= 0;
  }

  @Override
  boolean take(long[] line, int at, long fingerprint) {
    if (!window.isTime() && records++ >= nextStepAt) {
      moveTo(records - 1);
    }
    long header = headerAt(step, line[at + HEADER_WORD]);
    dropOld(line[at + HEADER_WORD], header);
    Lanes lanes = shapes[level(header)];
    int lane = lanes.find(line, at, fingerprint, lanes.first(count(header)));
    if (lane >= 0) {
      repeat(line, at, header, lane, fingerprint);
      return false;
    }
    add(line, at, header, fingerprint);
    return true;
  }

  /** The step in which a record of a time would be taken in next. */
  private long stepAt(long millis) {
    long moment = window.isTime() ? millis : records;
    boolean known = moment != Long.MIN_VALUE && moment >= nextStepAt;
    return known ? window.stepOf(moment) : step;
  }

  /** What the header, as it was left, has become at a step. */
  private static long headerAt(long step, long last) {
    long age = (step - (last >>> STEP_SHIFT)) & STEP_MASK;
    long counts = age >= Window.STEPS ? 0 : (last << (age * COUNT_BITS)) & COUNTS_MASK;
    long level = counts >>> LAST_COUNT == 0 ? 0 : level(last); // an empty line starts wide again
    return counts | (level << COUNTS_BITS) | ((step & STEP_MASK) << STEP_SHIFT);
  }

  private static int level(long header) {
    return (int) (header >>> COUNTS_BITS) & LEVEL_MASK;
  }

  private static int count(long header) {
    return (int) (header >>> LAST_COUNT) & COUNT_MASK;
  }

  private void dropOld(long last, long header) {
    int dropped = count(last) - count(header);
    if (dropped > 0) {
      countUsed(level(last), -dropped);
      depart(dropped, 1);
    }
  }

  private void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    line[at + HEADER_WORD] = refreshes ? header + olderThan(header, lane) : header;
    if (refreshes) {
      shapes[level(header)].insert(line, at, 0, lane, fingerprint);
    }
  }

  /** 1 in each count that a lane is not among: those of ages younger than its own. */
  private static long olderThan(long header, int lane) {
    long ones = 0;
    for (int i = 0; ((header >>> i) & COUNT_MASK) <= lane; i += COUNT_BITS) {
      ones |= 1L << i; // ends before the last count, since the lane is in use
    }
    return ones;
  }

  private void add(long[] line, int at, long header, long fingerprint) {
    int count = count(header);
    int level = level(header);
    if (count == capacity) {
      long younger = olderThan(header, count - 1);
      depart(1, (double) Long.bitCount(younger) / Window.STEPS);
      line[at + HEADER_WORD] = header + younger;
      shapes[level].insert(line, at, 0, count - 1, fingerprint);
      return;
    }
    if (count == shapes[level].count()) {
      narrow(line, at, level, 0);
      level++;
      header += 1L << COUNTS_BITS;
    }
    line[at + HEADER_WORD] = header + ONE_EACH;
    countUsed(level, 1);
    shapes[level].insert(line, at, 0, count, fingerprint);
  }

  /** So many keys have left, each after this share of the window; the last ones count most. */
  private void depart(int keys, double share) {
    departed += keys;
    kept += keys * share;
    if (departed > Window.STEPS * lines * capacity) {
      departed /= 2;
      kept /= 2;
    }
  }

  @Override
  public long nextStepAt() {
    return nextStepAt;
  }

  @Override
  public double coverage() {
    return departed == 0 ? 1 : kept / departed;
  }
}
