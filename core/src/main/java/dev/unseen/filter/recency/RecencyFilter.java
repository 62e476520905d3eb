package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Words;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * RECENCY: fingerprints in lines of one cache line each, of which the least useful is replaced.
 *
 * <pre>
 * for each element e, in its line, which is a filling, a full or a sorted one:
 *   if a lane holds its fingerprint: e is a DUPLICATE; the line takes in a repeated key
 *   else e is DISTINCT: the line takes in a new key; but a full line that is to be sorted, and a
 *     sorted one that is to be in order, changes its form before
 * </pre>
 *
 * <p>A line is one of the {@link FillingLines} until no lane is free, and then one of the {@link
 * FullLines}: new keys and repeated keys are two queues there, and a {@link Target}, which follows
 * the stream, determines how many lanes each queue has.
 *
 * <p>If the target is high, keys are popular, and their order is of little use. A full line then
 * becomes one of the {@link SortedLines} at its next new key, which makes room for more keys, and
 * is put back in order when the target has come down.
 *
 * <p>In a loop over more keys than fit, both ways forget each key before it comes again. {@link
 * Twins} of some lines try to keep their keys instead, and a {@link Contest} decides whether all
 * lines should do so.
 */
final class RecencyFilter extends LineFilter {
  final Target target;
  private final Forms forms;
  private final FillingLines filling;
  private final FullLines full;
  private final SortedLines sorted; // null if lines are never sorted
  private final Twins twins;
  private long forgotten;

  RecencyFilter(FilterSpec spec) {
    super(spec, spec.refresh() == Refresh.ADAPTIVE);
    long twinLines = words.length() / Lanes.WORDS - lines;
    this.target = new Target(form.narrowest().count(), lines, twinLines, form.sorted() != null);
    this.forms = new Forms(form, spec.refresh(), target);
    this.filling = forms.filling;
    this.full = forms.full;
    this.sorted = forms.sorted;
    this.twins = new Twins(words, lines, forms);
  }

  @Override
  boolean takeWatched(long first, long fingerprint) {
    long[] line = words.chunk(first);
    int at = Words.inChunk(first);
    long header = line[at + HEADER_WORD];
    boolean counts = forms.of(header).hasNoRoom(header);
    boolean newToTwin = twins.take(first, fingerprint, !target.isKeeping());
    boolean newToLine = take(line, at, fingerprint);
    if (counts && target.compare(newToLine, newToTwin)) {
      twins.clear();
    }
    return newToLine;
  }

  @Override
  boolean take(long[] line, int at, long fingerprint) {
    long header = line[at + HEADER_WORD];
    if (Lines.isFull(header)) {
      return takeFull(line, at, header, fingerprint);
    }
    return forms.isSorted(header)
        ? takeSorted(line, at, header, fingerprint)
        : takeFilling(line, at, header, fingerprint);
  }

  // There is one method for each form, because a call that is compiled while lines fill stays slow
  // for the forms that come later.

  private boolean takeFilling(long[] line, int at, long header, long fingerprint) {
    int lane = filling.find(line, at, header, fingerprint);
    if (lane >= 0) {
      filling.repeat(line, at, header, lane, fingerprint);
      return false;
    }
    filling.add(line, at, header, fingerprint);
    count(header, line[at + HEADER_WORD]);
    return true;
  }

  @Override
  boolean takeFull(long[] line, int at, long header, long fingerprint) {
    int lane = full.find(line, at, header, fingerprint);
    if (lane >= 0) {
      full.repeat(line, at, header, lane, fingerprint);
      return false;
    }
    if (target.isQuick(FullLines.repeated(header))) {
      forgotten++;
      full.replaceNew(line, at, header, fingerprint);
    } else {
      forms.add(line, at, fingerprint, target.isKeeping());
      count(header, line[at + HEADER_WORD]);
    }
    return true;
  }

  private boolean takeSorted(long[] line, int at, long header, long fingerprint) {
    int lane = sorted.find(line, at, header, fingerprint);
    if (lane >= 0) {
      sorted.repeat(line, at, header, lane, fingerprint);
      return false;
    }
    forms.add(line, at, fingerprint, target.isKeeping());
    count(header, line[at + HEADER_WORD]);
    return true;
  }

  /** Counts the effect of a new key: either one more lane is in use, or a key is forgotten. */
  private void count(long before, long after) {
    int was = lanesUsed(before);
    int is = lanesUsed(after);
    forgotten += was + 1 - is;
    if (is != was || level(after) != level(before)) {
      countLanes(level(before), -was);
      countLanes(level(after), is);
    }
  }

  @Override
  boolean isFull(long header) {
    return Lines.isFull(header);
  }

  @Override
  boolean holds(long[] line, int at, long fingerprint, long millis) {
    long header = line[at + HEADER_WORD];
    return forms.of(header).find(line, at, header, fingerprint) >= 0;
  }

  @Override
  int level(long header) {
    return forms.level(header);
  }

  @Override
  int lanesUsed(long header) {
    return forms.of(header).lanesUsed(header);
  }

  @Override
  public OptionalLong forgotten() {
    return OptionalLong.of(forgotten);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return forgotten == 0 ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    target.state(visitor);
    forgotten = visitor.count("forgotten", forgotten);
    super.state(visitor);
  }

  @Override
  void checkLine(long[] line, int at) {
    forms.check(line, at);
  }

  @Override
  void mergeNumbers(LineFilter filter) {
    RecencyFilter other = (RecencyFilter) filter;
    target.merge(other.target);
    forgotten = Counts.sum(forgotten, other.forgotten);
  }

  @Override
  void mergeLine(long[] line, int at, long[] from, int fromAt) {
    int level = Math.max(level(line[at + HEADER_WORD]), level(from[fromAt + HEADER_WORD]));
    LineMerge.Keys a = forms.of(line[at + HEADER_WORD]).keys(line, at);
    LineMerge.Keys b = forms.of(from[fromAt + HEADER_WORD]).keys(from, fromAt);
    boolean adapts = spec().refresh() == Refresh.ADAPTIVE;
    LineMerge.Keys keys = new LineMerge(form, target, adapts).join(a, b, level);
    if (form.isSorted(level)) {
      sorted.write(line, at, keys);
    } else {
      filling.write(line, at, keys, form.levelFor(keys.count(), level));
    }
  }
}
