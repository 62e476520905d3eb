package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.Windowed;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import java.io.IOException;
import java.util.Arrays;

/**
 * RECENCY with a window: fingerprints in lines of one cache line each, latest first, each of them
 * valid until its window has passed.
 *
 * <pre>
 * a line:  [latest]...[oldest][free][header]
 *
 * for each element e, in its line:
 *   shift the counts of the header by the steps that have passed, which drops lanes that are too old
 *   if a lane holds its fingerprint: e is a DUPLICATE; unless it is not to be refreshed, it becomes
 *     the first
 *   else e is DISTINCT: it becomes the first; if all lanes are in use, narrow them; if they are at
 *     their narrowest, the last is pushed out
 * </pre>
 *
 * <p>Time is counted in steps of an eighth of the window, and the {@link WindowHeader} of a line
 * contains the age of each of its lanes in steps. It stores the step at which the line was last
 * used modulo 4096, so the lines are swept in turn, a few at each step, and no line is left unused
 * for that long.
 */
final class WindowFilter extends LineFilter implements Windowed {
  private static final long STEPS_OF_SWEEP = 1024;

  private final boolean isTime;
  private final Window window;
  private final boolean refreshes;
  private final Lanes[] shapes;
  private final int capacity;
  private final long[] copy = new long[Lanes.WORDS]; // space for a line while it is narrowed
  private long records;
  private long step;
  private long nextStepAt; // the moment at which the next step begins
  private long nextSwept; // the next line to sweep
  private double departed;
  private double kept;
  private long pushedOut; // not part of the state
  private long mergedFrom; // during a merge: the step that each line's age is counted from
  private long otherMergedFrom;

  WindowFilter(FilterSpec spec) {
    super(spec, false);
    this.isTime = spec.window().isTime();
    this.window = spec.window();
    this.refreshes = spec.refresh() != Refresh.NEVER;
    this.shapes = form.shapes();
    this.capacity = form.narrowest().count();
    this.nextStepAt = isTime ? Long.MIN_VALUE : window.firstMomentOf(1);
  }

  @Override
  boolean take(long[] line, int at, long fingerprint) {
    if (!isTime && records++ >= nextStepAt) {
      moveTo(records - 1);
    }
    long last = line[at + HEADER_WORD];
    long header = WindowHeader.at(step, last);
    dropOld(last, header);
    Lanes lanes = shapes[level(header)];
    int lane = lanes.find(line, at, fingerprint, lanes.first(lanesUsed(header)));
    if (lane >= 0) {
      repeat(line, at, header, lane, fingerprint);
      return false;
    }
    add(line, at, header, fingerprint);
    return true;
  }

  private void dropOld(long last, long header) {
    int dropped = lanesUsed(last) - lanesUsed(header);
    if (dropped > 0) {
      countLanes(level(last), -dropped);
      depart(dropped, 1);
    }
  }

  private void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    if (refreshes) {
      line[at + HEADER_WORD] = header + WindowHeader.youngerThan(header, lane);
      shapes[level(header)].insert(line, at, 0, lane, fingerprint);
    } else {
      line[at + HEADER_WORD] = header;
    }
  }

  private void add(long[] line, int at, long header, long fingerprint) {
    int used = lanesUsed(header);
    int level = level(header);
    if (used == capacity) {
      long younger = WindowHeader.youngerThan(header, used - 1);
      depart(1, (double) Long.bitCount(younger) / Window.STEPS);
      pushedOut++;
      line[at + HEADER_WORD] = header + younger;
      shapes[level].insert(line, at, 0, used - 1, fingerprint);
      return;
    }
    long now = header;
    if (used == shapes[level].count()) {
      countLanes(level, -used);
      level++;
      countLanes(level, used);
      now += WindowHeader.ONE_LEVEL;
      System.arraycopy(line, at, copy, 0, Lanes.WORDS);
      shapes[level].narrow(line, at, shapes[level - 1], copy, 0);
    }
    countLanes(level, 1);
    line[at + HEADER_WORD] = now + WindowHeader.ONE_EACH;
    shapes[level].insert(line, at, 0, used, fingerprint);
  }

  @Override
  boolean holds(long[] line, int at, long fingerprint, long millis) {
    long header = WindowHeader.at(stepAt(millis), line[at + HEADER_WORD]);
    Lanes lanes = shapes[level(header)];
    return lanes.find(line, at, fingerprint, lanes.first(lanesUsed(header))) >= 0;
  }

  /** Returns the step to which a record of this time would belong. */
  private long stepAt(long millis) {
    long moment = isTime ? millis : records;
    boolean later = moment != Long.MIN_VALUE && moment >= nextStepAt;
    return later ? window.stepOf(moment) : step;
  }

  @Override
  int level(long header) {
    return WindowHeader.level(header);
  }

  @Override
  int lanesUsed(long header) {
    return WindowHeader.used(header);
  }

  @Override
  public void advanceTo(long millis) {
    if (isTime && millis >= nextStepAt) {
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

  /** Updates some lines, so that all of them are updated within 1024 steps. */
  private void sweep(long passed) {
    long share = Math.min(passed, STEPS_OF_SWEEP) * lines / STEPS_OF_SWEEP + 1;
    for (long i = Math.min(lines, share); i > 0; i--) {
      long word = nextSwept * Lanes.WORDS + HEADER_WORD;
      long last = words.get(word);
      long header = passed >= Window.STEPS ? 0 : WindowHeader.at(step, last);
      dropOld(last, header);
      words.set(word, header);
      nextSwept = nextSwept + 1 == lines ? 0 : nextSwept + 1;
    }
  }

  /** Counts keys that have left, each after a share of the window. The latest ones count most. */
  private void depart(int keys, double share) {
    departed += keys;
    kept += keys * share;
    if (departed > mostDeparted()) {
      forgetHalf();
    }
  }

  private long mostDeparted() {
    return Window.STEPS * lines * capacity;
  }

  private void forgetHalf() {
    departed /= 2;
    kept /= 2;
  }

  @Override
  public long pushedOut() {
    return pushedOut;
  }

  @Override
  public double coverage() {
    return departed == 0 ? 1 : kept / departed;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    records = visitor.count("records", records);
    step =
        visitor.number("step", step, window.stepOf(Long.MIN_VALUE), window.stepOf(Long.MAX_VALUE));
    nextStepAt = visitor.number("next step", nextStepAt);
    nextSwept = visitor.number("next line to sweep", nextSwept, 0, lines - 1);
    departed = visitor.real("departed", departed, 0, Counts.MOST);
    kept = visitor.real("kept", kept, 0, departed);
    super.state(visitor);
  }

  @Override
  void checkLine(long[] line, int at) {
    WindowHeader.check(line[at + HEADER_WORD], shapes);
  }

  /** Checks that the step is that of the last record, unless the count has reached its limit. */
  @Override
  void checkNumbers() {
    boolean isBeforeFirst = isTime && step == 0 && nextStepAt == Long.MIN_VALUE;
    if (!isBeforeFirst) {
      long next = window.firstMomentOf(step + 1);
      StorageCheck.requireBetween("next step", nextStepAt, next, next);
    }
    if (!isTime) {
      long least = window.stepOf(Math.max(0, records - 1));
      long most = records < Counts.MOST ? least : Long.MAX_VALUE;
      StorageCheck.requireBetween("step", step, least, most);
    }
  }

  /**
   * Merges the numbers. With a window of time, the later of the two times holds; with a window of
   * records, each filter keeps its ages.
   */
  @Override
  void mergeNumbers(LineFilter filter) {
    WindowFilter other = (WindowFilter) filter;
    mergedFrom = isTime ? Math.max(step, other.step) : step;
    otherMergedFrom = isTime ? mergedFrom : other.step;
    if (isTime ? other.step > step : other.records > records) {
      step = other.step;
      nextStepAt = other.nextStepAt;
      records = other.records;
    }
    departed += other.departed;
    kept += other.kept;
    while (departed > mostDeparted()) {
      forgetHalf();
    }
  }

  /** Merges two lines age by age, in turn. Keys that do not fit are the oldest. */
  @Override
  void mergeLine(long[] line, int at, long[] from, int fromAt) {
    long a = WindowHeader.at(mergedFrom, line[at + HEADER_WORD]);
    long b = WindowHeader.at(otherMergedFrom, from[fromAt + HEADER_WORD]);
    int level = Math.max(level(a), level(b));
    LineUnion all = new LineUnion(2 * capacity, form.width(level));
    long counts = 0;
    for (int age = 0; age < Window.STEPS; age++) {
      all.addInTurn(lanesOfAge(line, at, a, age), lanesOfAge(from, fromAt, b, age));
      all.dropLast(Math.max(0, all.size() - capacity));
      counts += WindowHeader.add(all.size(), age);
    }
    level = form.levelFor(all.size(), level);
    Arrays.fill(line, at, at + Lanes.WORDS, 0);
    long[] keys = all.toArray();
    for (int i = 0; i < keys.length; i++) {
      shapes[level].set(line, at, i, keys[i]);
    }
    line[at + HEADER_WORD] = WindowHeader.empty(level, step) + counts;
  }

  private long[] lanesOfAge(long[] line, int at, long header, int age) {
    int begin = age == 0 ? 0 : WindowHeader.count(header, age - 1);
    int end = WindowHeader.count(header, age);
    return shapes[level(header)].get(line, at, begin, 1, end - begin);
  }
}
