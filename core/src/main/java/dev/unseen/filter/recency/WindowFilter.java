package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;

/**
 * RECENCY with a window: fingerprints in lines of one cache line each, each of them with the time
 * at which it was seen.
 *
 * <pre>
 * for each element e with time t, in its two lines:
 *   drop the keys that are older than the window and the time by which records may be late
 *   if e is older than that time: it cannot be judged, so it is DISTINCT, and is not stored
 *   if a lane holds its fingerprint, and less than a window lies between the two times:
 *     e is a DUPLICATE; unless it is not to be refreshed, its key is stored with the time t
 *   else e is DISTINCT: it is stored with the time t, in the line that has fewer keys; if both lines
 *     have as many, in the one whose keys are older; if that one is full, its oldest key is evicted
 * </pre>
 *
 * <p>Time is counted in steps of an eighth of the window ({@link WindowLines}). Two times less than
 * eight steps apart are less than a window apart, so no new key is mistaken for a duplicate; two
 * times less than 7/8 of the window apart are always less than eight steps apart.
 *
 * <p>A line knows its time modulo 256 groups of steps, so the lines are swept in turn, a few in
 * each group, and no line is left unused for that long.
 */
public final class WindowFilter extends LineFilter {
  private static final long GROUPS_OF_SWEEP = 128;

  /** Two keys within this number of steps cover all times between them. */
  private static final int JOINED = 2 * Window.STEPS - 1;

  private final boolean isTime;
  private final Window window;
  private final boolean refreshes;
  private final WindowLayout layout;
  private final WindowLines line;
  private final int capacity;
  private final int roomy; // a line with fewer keys has room for a second time of a key
  private final double mostDeparted; // keys, before the latest ones count more
  private long records;
  private long step; // the latest
  private long group; // that the step belongs to
  private long nextStepAt; // the moment at which the next step begins
  private long setBackBefore = Long.MIN_VALUE; // an earlier time means that the clock was set back
  private long nextSwept; // the next line to sweep
  private double departed;
  private double kept;
  private long tooLate;
  private long evictedEarly; // not part of the state

  // The step of the last record that was not of the latest step, and the moments of that step.
  private long lateStep;
  private long lateFrom;
  private long lateUntil;

  // Of the keys that equal that of a record: the latest not after it, the one before, and the
  // earliest after it, as steps. NO_STEP if there is none.
  private static final long NO_STEP = Long.MIN_VALUE;
  private long before;
  private int beforeLane;
  private boolean beforeIsSecond; // whether it is in the second line
  private long earlier;
  private long after;

  private long mergedFrom; // during a merge: the group that each line's age is counted from
  private long otherMergedFrom;

  public WindowFilter(FilterSpec spec) {
    super(spec, 0);
    this.window = spec.window();
    this.isTime = window.isTime();
    this.refreshes = spec.refresh() != Refresh.NEVER;
    this.layout = WindowLayout.of(window);
    this.line = new WindowLines(form, layout);
    this.capacity = line.capacity();
    this.mostDeparted = Window.STEPS * lines * capacity;
    this.roomy = capacity * 3 / 4;
    this.nextStepAt = isTime ? Long.MIN_VALUE : window.firstMomentOf(1);
  }

  @Override
  int take(long first, long second, long fingerprint, long millis) {
    long of = isTime ? stepOf(millis) : stepOfNextRecord();
    if (of < step - layout.lateSteps()) {
      tooLate += millis == UNKNOWN ? 0 : 1;
      return dropsLate() ? LATE : LATE | ADMITTED;
    }
    long[] a = words.chunk(first);
    int aAt = Words.inChunk(first);
    long[] b = words.chunk(second);
    int bAt = Words.inChunk(second);
    long aHeader = now(a, aAt);
    long bHeader = now(b, bAt);
    before = NO_STEP;
    earlier = NO_STEP;
    after = NO_STEP;
    look(a, aAt, aHeader, fingerprint, of, false);
    if (second != first && (before == NO_STEP || layout.lateSteps() > 0)) {
      look(b, bAt, bHeader, fingerprint, of, true);
    }
    if (isSeen(of)) {
      if (refreshes && before != of) {
        if (beforeIsSecond && before != NO_STEP) {
          refresh(b, bAt, bHeader, fingerprint, of);
        } else {
          refresh(a, aAt, aHeader, fingerprint, of);
        }
      }
      return SEEN;
    }
    // Without a branch, because the processor cannot predict which line it is.
    long isSecond = (line.rank(bHeader) - line.rank(aHeader)) >> 63;
    long chosen = first ^ ((first ^ second) & isSecond);
    long header = aHeader ^ ((aHeader ^ bHeader) & isSecond);
    add(words.chunk(chosen), Words.inChunk(chosen), header, fingerprint, of);
    return ADMITTED;
  }

  /** Looks for the keys of a line that equal that of a record. */
  private void look(long[] in, int at, long header, long fingerprint, long of, boolean isSecond) {
    long lanes = line.inUse(header);
    int lane = line.find(in, at, header, fingerprint, lanes);
    while (lane >= 0) {
      long found = line.step(in, at, header, lane, group);
      if (found > of) {
        after = after == NO_STEP ? found : Math.min(after, found);
      } else if (found > before) {
        earlier = before;
        before = found;
        beforeLane = lane;
        beforeIsSecond = isSecond;
      } else {
        earlier = Math.max(earlier, found);
      }
      lanes = Lanes.without(lanes, lane);
      lane = line.find(in, at, header, fingerprint, lanes);
    }
  }

  private boolean isSeen(long of) {
    return (before != NO_STEP && of - before < Window.STEPS)
        || (after != NO_STEP && after - of < Window.STEPS);
  }

  /**
   * Stores that a key was seen again, usually in place of its earlier time. If records may be late,
   * the first time is kept, too, as long as the line has room, and a third replaces the second.
   */
  private void refresh(long[] in, int at, long header, long fingerprint, long of) {
    boolean late = after != NO_STEP;
    if (late && before != NO_STEP && after - before <= JOINED) {
      return; // all times between the two are known
    }
    boolean replaces = !late && earlier != NO_STEP && of - earlier <= JOINED;
    if (layout.lateSteps() > 0 && !replaces && line.used(header) < roomy) {
      add(in, at, header, fingerprint, of);
    } else if (!late) {
      setHeader(in, at, line.move(in, at, header, beforeLane, fingerprint, of, group));
    }
  }

  private void add(long[] in, int at, long header, long fingerprint, long of) {
    if (line.used(header) == capacity) {
      long oldest = line.step(in, at, header, capacity - 1, group);
      long evicted = Math.min(oldest, of);
      depart(1, Math.min(1, (double) (step - evicted) / Window.STEPS));
      evictedEarly += step - evicted < Window.STEPS ? 1 : 0;
      setHeader(in, at, line.replaceOldest(in, at, header, fingerprint, of, group));
      return;
    }
    long with = line.add(in, at, header, fingerprint, of, group);
    int level = line.level(with);
    if (level != line.level(header)) { // the line was narrowed
      int used = line.used(header);
      countLanes(line.level(header), -used);
      countLanes(level, used);
    }
    countLanes(level, 1);
    setHeader(in, at, with);
  }

  private void setHeader(long[] in, int at, long header) {
    line.setHeader(in, at, header);
  }

  /** Returns the header of a line in the present group, and stores it if a group has passed. */
  private long now(long[] in, int at) {
    long last = line.header(in, at);
    long header = line.at(group, last);
    if (header != last) {
      dropOld(last, header);
      setHeader(in, at, header);
    }
    return header;
  }

  private void dropOld(long last, long header) {
    // Also if no key is dropped, because the processor cannot predict whether one is.
    int dropped = line.used(last) - line.used(header);
    countLanes(line.level(last), -dropped);
    depart(dropped, 1);
  }

  private long stepOfNextRecord() {
    if (records++ >= nextStepAt) {
      moveTo(records - 1);
    }
    return step;
  }

  /** Returns the step of a record. If none may be late, an earlier time counts as the latest. */
  private long stepOf(long millis) {
    if (millis >= nextStepAt) {
      if (millis == UNKNOWN) {
        return NO_STEP;
      }
      moveTo(millis);
      return step;
    }
    if (millis == NOW) {
      return step;
    }
    if (layout.lateSteps() == 0) {
      if (millis < setBackBefore) {
        setBack(millis); // a thread that had read a wrong clock may have been here
      }
      return step;
    }
    if (millis < lateFrom || millis >= lateUntil) {
      lateStep = window.stepOf(millis);
      lateFrom = window.firstMomentOf(lateStep);
      lateUntil = window.firstMomentOf(lateStep + 1);
    }
    return lateStep;
  }

  @Override
  public boolean isTooLate(long hash, long millis) {
    return isTooLate(millis);
  }

  private boolean isTooLate(long millis) {
    return isTime
        && (millis == UNKNOWN
            || (layout.lateSteps() > 0
                && nextStepAt != Long.MIN_VALUE
                && millis < nextStepAt
                && millis != NOW
                && window.stepOf(millis) < step - layout.lateSteps()));
  }

  @Override
  boolean holds(long[] in, int at, long fingerprint, long millis) {
    if (isTime && isTooLate(millis)) {
      return dropsLate();
    }
    long moment = isTime ? millis : records;
    boolean isOfLatest = moment == NOW || (moment < nextStepAt && layout.lateSteps() == 0);
    long of = isOfLatest ? step : window.stepOf(moment);
    long latest = moment != NOW && moment >= nextStepAt ? of : step;
    long inGroup = layout.groupOf(latest);
    long header = line.at(inGroup, line.header(in, at));
    long lanes = line.inUse(header);
    int lane = line.find(in, at, header, fingerprint, lanes);
    while (lane >= 0) {
      if (Math.abs(line.step(in, at, header, lane, inGroup) - of) < Window.STEPS) {
        return true;
      }
      lanes = Lanes.without(lanes, lane);
      lane = line.find(in, at, header, fingerprint, lanes);
    }
    return false;
  }

  @Override
  public boolean wasSeen(long hash, long after, long before) {
    long mixed = Mix.mix(hash);
    long fingerprint = fingerprints.of(mixed);
    long first = firstWord(mixed);
    return wasSeen(first, fingerprint, after, before)
        || wasSeen(secondWord(first, fingerprint), fingerprint, after, before);
  }

  private boolean wasSeen(long word, long fingerprint, long after, long before) {
    long[] in = words.chunk(word);
    int at = Words.inChunk(word);
    long header = line.at(group, line.header(in, at));
    long lanes = line.inUse(header);
    int lane = line.find(in, at, header, fingerprint, lanes);
    while (lane >= 0) {
      long seen = line.step(in, at, header, lane, group);
      if (window.firstMomentOf(seen) > after && window.firstMomentOf(seen + 1) <= before) {
        return true;
      }
      lanes = Lanes.without(lanes, lane);
      lane = line.find(in, at, header, fingerprint, lanes);
    }
    return false;
  }

  @Override
  public void skip(long millis) {
    if (isTime) {
      advanceTo(millis);
    } else {
      stepOfNextRecord();
    }
  }

  @Override
  int level(long lastWord) {
    return line.level(line.headerOf(lastWord));
  }

  @Override
  int lanesUsed(long lastWord) {
    return line.used(line.headerOf(lastWord));
  }

  @Override
  public void advanceTo(long millis) {
    if (isTime && millis >= nextStepAt) {
      moveTo(millis);
    }
  }

  private void moveTo(long moment) {
    boolean first = nextStepAt == Long.MIN_VALUE;
    long from = group;
    setStep(window.stepOf(moment));
    if (!first && group != from) {
      sweep(group - from);
    }
  }

  private void setStep(long to) {
    step = to;
    group = layout.groupOf(step);
    nextStepAt = window.firstMomentOf(step + 1);
    prepareStep();
  }

  private void prepareStep() {
    long begin = window.firstMomentOf(step);
    lateStep = step;
    lateFrom = begin;
    lateUntil = nextStepAt;
    setBackBefore = Math.max(begin, Long.MIN_VALUE + CLOCK_TOLERANCE) - CLOCK_TOLERANCE;
  }

  @Override
  public void setBack(long millis) {
    long to = isTime ? window.stepOf(millis) : step;
    if (to >= step || nextStepAt == Long.MIN_VALUE) {
      return;
    }
    long from = group;
    long back = group - layout.groupOf(to);
    back += step - (back << layout.noteBits()) > to ? 1 : 0; // groups move as a whole
    setStep(step - (back << layout.noteBits()));
    for (long i = 0; i < lines; i++) {
      long word = i * Lanes.WORDS;
      long[] in = words.chunk(word);
      int at = Words.inChunk(word);
      long last = line.header(in, at);
      long header = line.at(from, last);
      dropOld(last, header);
      setHeader(in, at, line.moved(header, group));
    }
  }

  /** Brings some lines to the present group, so that all of them are within 128 groups. */
  private void sweep(long passed) {
    long share = Math.min(passed, GROUPS_OF_SWEEP) * lines / GROUPS_OF_SWEEP + 1;
    for (long i = Math.min(lines, share); i > 0; i--) {
      long word = nextSwept * Lanes.WORDS;
      long[] in = words.chunk(word);
      int at = Words.inChunk(word);
      long last = line.header(in, at);
      long header = passed >= layout.groups() ? line.empty(group) : line.at(group, last);
      dropOld(last, header);
      setHeader(in, at, header);
      nextSwept = nextSwept + 1 == lines ? 0 : nextSwept + 1;
    }
  }

  /** Counts keys that have left, each after a share of the window. The latest ones count most. */
  private void depart(int keys, double share) {
    departed += keys;
    kept += keys * share;
    if (departed > mostDeparted) {
      forgetHalf();
    }
  }

  private void forgetHalf() {
    departed /= 2;
    kept /= 2;
  }

  @Override
  public long evictedEarly() {
    return evictedEarly;
  }

  @Override
  public long recordsOfWindow() {
    return records;
  }

  @Override
  public long tooLate() {
    return tooLate;
  }

  @Override
  public double coverage() {
    // In the first window only evicted keys have left. So until as many keys have left as the
    // filter holds, the keys that it holds count as kept.
    double keys = Math.max(departed, estimatedCardinality());
    return keys == 0 ? 1 : (kept + keys - departed) / keys;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    records = visitor.count("records", records);
    step =
        visitor.number("step", step, window.stepOf(Long.MIN_VALUE), window.stepOf(Long.MAX_VALUE));
    group = layout.groupOf(step);
    nextStepAt = visitor.number("next step", nextStepAt);
    nextSwept = visitor.number("next line to sweep", nextSwept, 0, lines - 1);
    departed = visitor.real("departed", departed, 0, Counts.MOST);
    kept = visitor.real("kept", kept, 0, departed);
    tooLate = visitor.count("records that were too late", tooLate);
    prepareStep();
    super.state(visitor);
  }

  @Override
  void checkLine(long[] in, int at) {
    line.check(line.header(in, at));
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

  /** Merges the numbers. With a window of time, the later time holds; of records, ages stay. */
  @Override
  void mergeNumbers(LineFilter filter) {
    WindowFilter other = (WindowFilter) filter;
    mergedFrom = isTime ? Math.max(group, other.group) : group;
    otherMergedFrom = isTime ? mergedFrom : other.group;
    if (isTime ? other.step > step : other.records > records) {
      step = other.step;
      group = other.group;
      nextStepAt = other.nextStepAt;
      records = other.records;
      prepareStep();
    }
    tooLate = Counts.sum(tooLate, other.tooLate);
    departed += other.departed;
    kept += other.kept;
    while (departed > mostDeparted) {
      forgetHalf();
    }
  }

  @Override
  void mergePage(long page, int places, LineFilter other) {
    // For late records the earlier times of a key count, too: see refresh.
    int apart = layout.lateSteps() > 0 ? 1 : Window.STEPS;
    WindowPage merged = new WindowPage(line, pairs, page, places, apart);
    merged.collect(words, mergedFrom, (group - mergedFrom) << layout.noteBits());
    merged.collect(other.words, otherMergedFrom, (group - otherMergedFrom) << layout.noteBits());
    merged.write(words, form.width(merged.level()), group);
  }
}
