package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Words;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * RECENCY: fingerprints in lines of one cache line each, of which the least useful is replaced.
 *
 * <pre>
 * for each element e, in its two lines, each of which is a filling, a full or a sorted one:
 *   if a lane holds its fingerprint: e is a DUPLICATE; the line processes a repeated key
 *   else e is DISTINCT, and is added to the line that has more room; a full line that is to be sorted,
 *     and a sorted one that is to be in order, changes its form first
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
 * <p>As long as few keys have come again, lines also sort themselves to make room, until the filter
 * has begun to forget. In a loop over more keys than fit, each key would be forgotten before it
 * comes again, so lines can also keep the keys that they have: {@link Retention} decides.
 */
public final class RecencyFilter extends LineFilter {
  /** Up to this load, a key that comes again shows that keys come again soon. */
  private static final double EARLY = 0.75;

  final Target target;
  private final Forms forms;
  private final FillingLines filling;
  private final FullLines full;
  final Retention retention;
  private final int capacity;
  private long forgotten;

  public RecencyFilter(FilterSpec spec) {
    super(spec, 0);
    this.target = new Target(form.narrowest().count(), lines, form.sorted() != null);
    double falsePositives = spec.maxFpr() * lines * form.narrowest().count();
    this.retention = new Retention(lines, falsePositives, form.sorted() != null);
    this.forms = new Forms(form, spec.refresh(), target);
    this.filling = forms.filling;
    this.full = forms.full;
    this.capacity = form.narrowest().count();
  }

  @Override
  int take(long first, long second, long fingerprint, long millis) {
    if (areFull(first, second)) {
      return takeFull(first, second, fingerprint) ? ADMITTED : SEEN;
    }
    long[] a = words.chunk(first);
    int aAt = Words.inChunk(first);
    if (isRepeat(first, a, aAt, fingerprint)) {
      return SEEN;
    }
    long[] b = words.chunk(second);
    int bAt = Words.inChunk(second);
    if (isRepeat(second, b, bAt, fingerprint)) {
      return SEEN;
    }
    boolean open = retention.isOpen();
    boolean keeps = open && retention.keeps(pageOf(first));
    boolean sorts = keeps || (open && makesRoom());
    boolean better = isBetter(b[bAt + HEADER_WORD], a[aAt + HEADER_WORD], fingerprint, sorts);
    long[] line = better ? b : a;
    int at = better ? bAt : aAt;
    long header = line[at + HEADER_WORD];
    boolean full = open && forms.of(header).hasNoRoom(header);
    if (full) {
      retention.misses(pageOf(first));
    }
    if (keeps) {
      forms.keep(line, at, fingerprint);
    } else if (open) {
      forms.add(line, at, fingerprint, sorts, full);
    } else {
      forms.add(line, at, fingerprint);
    }
    count(header, line[at + HEADER_WORD]);
    return ADMITTED;
  }

  /** Returns whether lines are sorted to make room: the filter has forgotten few keys so far. */
  private boolean makesRoom() {
    return forgotten < lines;
  }

  private long pageOf(long first) {
    return pairs.pageOf(first / Lanes.WORDS);
  }

  /** Returns whether a full line is to replace a key by the next new one, and nothing else. */
  private boolean isReplacing(long first) {
    return !retention.isKeeping() && !makesRoom() && !retention.keeps(pageOf(first));
  }

  @Override
  boolean areFull(long first, long second) {
    return Lines.isFull(words.get(first + HEADER_WORD))
        && Lines.isFull(words.get(second + HEADER_WORD))
        && (!retention.isOpen() || isReplacing(first));
  }

  @Override
  boolean takeFull(long first, long second, long fingerprint) {
    long[] a = words.chunk(first);
    int aAt = Words.inChunk(first);
    long aHeader = a[aAt + HEADER_WORD];
    int lane = full.find(a, aAt, aHeader, fingerprint);
    if (lane >= 0) {
      repeat(full, first, a, aAt, lane, fingerprint);
      return false;
    }
    long[] b = words.chunk(second);
    int bAt = Words.inChunk(second);
    long bHeader = b[bAt + HEADER_WORD];
    lane = full.find(b, bAt, bHeader, fingerprint);
    if (lane >= 0) {
      repeat(full, second, b, bAt, lane, fingerprint);
      return false;
    }
    boolean better = isBetterOfFull(bHeader, aHeader, fingerprint);
    long[] line = better ? b : a;
    int at = better ? bAt : aAt;
    long header = better ? bHeader : aHeader;
    if (target.isQuick(FullLines.repeated(header))) {
      forgotten++;
      full.replaceNew(line, at, header, fingerprint);
    } else {
      forms.add(line, at, fingerprint);
      count(header, line[at + HEADER_WORD]);
    }
    return true;
  }

  private boolean isRepeat(long first, long[] line, int at, long fingerprint) {
    long header = line[at + HEADER_WORD];
    Lines form = forms.of(header);
    int lane = form.find(line, at, header, fingerprint);
    if (lane < 0) {
      return false;
    }
    repeat(form, first, line, at, lane, fingerprint);
    return true;
  }

  private void repeat(Lines form, long first, long[] line, int at, int lane, long fingerprint) {
    if (retention.isOpen()) {
      repeatAndCount(form, first, line, at, lane, fingerprint);
    } else {
      form.repeat(line, at, line[at + HEADER_WORD], lane, fingerprint);
    }
  }

  private void repeatAndCount(
      Lines form, long first, long[] line, int at, int lane, long fingerprint) {
    long header = line[at + HEADER_WORD];
    boolean kept =
        form != forms.sorted
            || !retention.keeps(pageOf(first))
            || !forms.sorted().isLater(header, lane, fingerprint);
    if (!kept && !retention.isKeeping()) {
      return; // a probe keeps the keys that it had when it was full, even if others are repeated
    }
    boolean isFirst = kept && form.isNew(line, at, header, lane);
    form.repeat(line, at, header, lane, fingerprint);
    boolean stays = line[at + HEADER_WORD] == header && form != forms.sorted; // new, in a burst
    if (!isFirst || stays) {
      return;
    }
    if (load() < EARLY) {
      retention.comesAgainEarly();
    } else if (form.hasNoRoom(header) && !makesRoom()) {
      retention.comesAgain(pageOf(first));
    }
  }

  /**
   * Returns whether a line should take a new key rather than the other: it has more room, or both
   * have none and it has too many repeated keys.
   */
  private boolean isBetter(long header, long than, long fingerprint, boolean sorts) {
    int more = room(header, sorts) - room(than, sorts);
    if (more != 0) {
      return more > 0;
    }
    return isBetterOfFull(header, than, fingerprint);
  }

  private boolean isBetterOfFull(long header, long than, long fingerprint) {
    boolean tooMany = hasTooMany(header);
    return tooMany == hasTooMany(than) ? ((fingerprint >>> LinePairs.BITS) & 1) != 0 : tooMany;
  }

  private boolean hasTooMany(long header) {
    return Lines.isFull(header) && FullLines.repeated(header) > target.lanes();
  }

  /** Returns the number of keys that a line can take without a loss. */
  private int room(long header, boolean sorts) {
    if (Lines.isFull(header)) {
      return sorts ? forms.sorted().capacity() - capacity : 0;
    }
    int most = sorts || forms.isSorted(header) ? forms.sorted().capacity() : capacity;
    return most - forms.of(header).lanesUsed(header);
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
  public OptionalLong evicted() {
    return OptionalLong.of(forgotten);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return forgotten == 0 ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    target.state(visitor);
    retention.state(visitor);
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
    retention.merge(other.retention);
    forgotten = Counts.sum(forgotten, other.forgotten);
  }

  @Override
  void mergePage(long page, int places, LineFilter filter) {
    RecencyFilter other = (RecencyFilter) filter;
    int level = 0;
    for (long line = page; line < page + places; line++) {
      long word = line * Lanes.WORDS + HEADER_WORD;
      level = Math.max(level, Math.max(level(words.get(word)), level(other.words.get(word))));
    }
    boolean adapts = spec().refresh() == Refresh.ADAPTIVE;
    RecencyPage merged = new RecencyPage(pairs, page, form.width(level), adapts);
    for (int place = 0; place < places; place++) {
      merged.collect(place, keys(page + place));
      merged.collect(place, other.keys(page + place));
    }
    boolean sorts = form.isSorted(level);
    int room = form.mostLanes(level);
    merged.distribute(room, sorts || !adapts ? room : Math.max(1, target.lanes()));
    for (int place = 0; place < places; place++) {
      long first = (page + place) * Lanes.WORDS;
      LineKeys keys = merged.keys(place);
      if (sorts) {
        forms.sorted().write(words.chunk(first), Words.inChunk(first), keys);
      } else {
        int atLevel = form.levelFor(keys.count(), level);
        filling.write(words.chunk(first), Words.inChunk(first), keys, atLevel);
      }
    }
  }

  private LineKeys keys(long line) {
    long first = line * Lanes.WORDS;
    long[] in = words.chunk(first);
    int at = Words.inChunk(first);
    return forms.of(in[at + HEADER_WORD]).keys(in, at);
  }
}
