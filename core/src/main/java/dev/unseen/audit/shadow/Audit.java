package dev.unseen.audit.shadow;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures a filter's errors on the stream itself: it follows a share of the keys exactly, and
 * compares the filter's answers with the truth.
 *
 * <p>Keys are chosen by their hash, so every record of a chosen key is followed, and the chosen
 * keys are a fair sample of all keys. Give the audit every hash and every answer from the filter's
 * first record on:
 *
 * <pre>{@code
 * boolean fresh = filter.admit(hash);
 * audit.observe(hash, fresh);
 * records++;
 * admitted += fresh ? 1 : 0;
 * ...
 * AuditReport report = audit.report(records, admitted);
 * }</pre>
 *
 * <p>With a window, the audit forgets keys as the filter promises to. A key seen less than 7/8 of
 * the window ago is a duplicate, and a key seen a whole window ago is new. In between either answer
 * is right, and none is counted.
 *
 * <p>Memory is bounded. When it is full, keys whose window has passed are dropped. If that is not
 * enough, the share of followed keys is halved, and {@link AuditReport#oneIn} shows it. Counts are
 * kept separately by the number of halvings that a key survives, so the rates are always those of a
 * fair sample of all keys since the beginning.
 *
 * <p>Only one thread may use an audit at a time. Two keys with equal hashes are one key to the
 * audit, as they are to every filter.
 */
public final class Audit implements Stateful {
  /**
   * Odd, so that products of uniform hashes are uniform. Filters mix hashes, so this one
   * multiplication chooses keys independently of their places, and is the only cost for every
   * record.
   */
  private static final long MULTIPLIER = 0x5851F42D4C957F2DL;

  private static final int LEVELS = 32;

  /**
   * The most places that are tried for a key, even against an attacker. While a quarter of the
   * table is free, one key in 10^16 finds none and is not followed.
   */
  private static final int MOST_PROBES = 1024;

  private static final long NOWHERE = -1;

  // An entry of the table: the hash, the moment when it was last seen, and two pairs of counts.
  private static final int ENTRY_WORDS = 4;
  private static final int STAMP = 1;
  private static final int NEWS = 2; // times new << 32 | of these, lost
  private static final int REPEATS = 3; // times a duplicate << 32 | of these, let through
  private static final long COUNT_MASK = 0xFFFFFFFFL;
  private static final long MAX_COUNT = Integer.MAX_VALUE;

  private final AuditSpec spec;
  private final long limit; // the end of the products of followed keys, as an unsigned number
  private final Window window;
  private final boolean refreshes;
  private final long surely; // a key seen at most this long ago is certainly a duplicate
  private final long capacity;
  private Words table;
  private long keys;
  private int level; // the number of halvings so far
  private long records;
  private long now = Long.MIN_VALUE;
  private final KeySums[] fpr = sums();
  private final KeySums[] fnr = sums();
  private final WindowSums[] windowed =
      Stream.generate(WindowSums::new).limit(LEVELS).toArray(WindowSums[]::new);

  public Audit(AuditSpec spec, FilterSpec filter) {
    this.spec = spec;
    this.limit = Long.divideUnsigned(-1, spec.oneIn());
    this.window = filter.window();
    this.refreshes = filter.refresh() != Refresh.NEVER;
    this.surely = window.length() - (window.length() + 7) / 8;
    this.capacity = spec.memoryBytes() / (ENTRY_WORDS * Long.BYTES);
    this.table = new Words(capacity * ENTRY_WORDS);
  }

  /** Returns an audit that continues this one for another filter with the same unit of window. */
  public Audit continuedFor(FilterSpec filter) {
    Audit next = new Audit(spec, filter);
    StateCopy.copy(this, next);
    return next;
  }

  private static KeySums[] sums() {
    return Stream.generate(KeySums::new).limit(LEVELS).toArray(KeySums[]::new);
  }

  /** Sets the current time, which must also be given to the filter. */
  public void advanceTo(long millis) {
    now = Math.max(now, millis);
  }

  /** Returns whether the key is followed, or was before the share was halved. */
  public boolean follows(long hash) {
    return Long.compareUnsigned(hash * MULTIPLIER, limit) <= 0;
  }

  public void observe(long hash, boolean fresh) {
    if (follows(hash)) {
      followed(hash, moment(), fresh);
    }
    records++;
  }

  public void observe(long hash, long millis, boolean fresh) {
    advanceTo(millis);
    if (follows(hash)) {
      followed(hash, window.isTime() ? millis : records, fresh);
    }
    records++;
  }

  /** Counts a record whose key is not followed. */
  public void skip() {
    records++;
  }

  /**
   * Records a duplicate that a replaced filter knows. If seen before this audit, it is no error.
   */
  public void observeKnown(long hash, long millis) {
    advanceTo(millis);
    if (follows(hash)) {
      long at = find(hash);
      followed(hash, window.isTime() ? millis : records, at != NOWHERE && isFree(at));
    }
    records++;
  }

  /** Records hashes and answers, in the form of {@code admitAll}. */
  public void observeAll(long[] hashes, int offset, int count, long[] fresh) {
    long before = records;
    for (int i = 0; i < count; i++) {
      long hash = hashes[offset + i];
      if (follows(hash)) {
        records = before + i;
        followed(hash, moment(), ((fresh[i / Long.SIZE] >>> i) & 1) != 0);
      }
    }
    records = before + count;
  }

  /**
   * Returns how often the filter was wrong, from the followed keys alone. {@link #report(long,
   * long)} is always better.
   */
  public AuditReport report() {
    return reportOf(followed(fpr).rate(), followed(fnr).rate());
  }

  /**
   * Returns how often the filter was wrong, given the numbers of all records and of those admitted.
   */
  public AuditReport report(long total, long admitted) {
    if (admitted < 0 || admitted > total) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "admitted (%,d) must be 0 to the records (%,d)", admitted, total));
    }
    KeySums news = followed(fpr);
    return reportOf(news.rate(), fnrOf(news, followed(fnr), (double) total, (double) admitted));
  }

  private MeasuredRate fnrOf(KeySums news, KeySums repeats, double total, double admitted) {
    @Nullable WindowSums ofWindow = null;
    if (!window.isNone()) {
      ofWindow = new WindowSums();
      for (int i = level; i < LEVELS; i++) {
        ofWindow.addAll(windowed[i]);
      }
    }
    double oneIn = (double) (spec.oneIn() << level);
    return new FnrEstimate(news, repeats, ofWindow, refreshes, oneIn, total, admitted).rate();
  }

  /** Returns the sums over all keys that are followed, or were until their window passed. */
  private KeySums followed(KeySums[] sums) {
    KeySums all = new KeySums();
    for (int i = level; i < LEVELS; i++) {
      all.addAll(sums[i]);
    }
    return all;
  }

  private AuditReport reportOf(MeasuredRate lost, MeasuredRate through) {
    return new AuditReport(lost, through, spec.oneIn() << level, level > 0, keys);
  }

  public long records() {
    return records;
  }

  public AuditSpec spec() {
    return spec;
  }

  public long memoryBytes() {
    return table.length() * Long.BYTES;
  }

  private void followed(long hash, long moment, boolean fresh) {
    int keyLevel = levelOf(hash);
    if (keyLevel < level) {
      return;
    }
    long at = find(hash);
    if (at == NOWHERE) {
      return;
    }
    if (isFree(at)) {
      insert(at, hash, moment);
      countNew(keyLevel, at, fresh);
      makeRoom();
      return;
    }
    long age = moment - table.get(at + STAMP);
    if (age < -surely) {
      countLate(keyLevel, at, fresh);
      return;
    }
    boolean expired = !window.isNone() && age >= window.length();
    if (expired) {
      countNew(keyLevel, at, fresh);
    } else if (window.isNone() || age <= surely) {
      countRepeat(keyLevel, at, fresh);
    } else {
      windowed[keyLevel].addGrey(fresh);
    }
    if (refreshes || expired || fresh) {
      table.set(at + STAMP, Math.max(moment, table.get(at + STAMP)));
    }
  }

  /**
   * Counts a late record. The filter, which knows more than the latest time of a key, is believed.
   */
  private void countLate(int keyLevel, long at, boolean fresh) {
    if (fresh) {
      countNew(keyLevel, at, true);
    } else {
      countRepeat(keyLevel, at, false);
    }
  }

  /** Returns the number of halvings that a followed key survives; half survive the first. */
  private int levelOf(long hash) {
    return Math.min(LEVELS - 1, Long.numberOfLeadingZeros(hash * MULTIPLIER * spec.oneIn()));
  }

  /** Returns the place of a hash, or the free place for it; {@link #NOWHERE} if there is none. */
  private long find(long hash) {
    long slot = homeOf(hash);
    for (int i = 0; i < MOST_PROBES; i++) {
      long at = slot * ENTRY_WORDS;
      if (isFree(at) || table.get(at) == hash) {
        return at;
      }
      slot = slot + 1 == capacity ? 0 : slot + 1;
    }
    return NOWHERE;
  }

  /** Returns the first place to look for a hash. */
  private long homeOf(long hash) {
    return Mix.reduce(Mix.mix(hash), capacity);
  }

  private boolean isFree(long at) {
    return table.get(at + NEWS) == 0; // every key in the table was new once
  }

  private void insert(long at, long hash, long moment) {
    table.set(at, hash);
    table.set(at + STAMP, moment);
    keys++;
  }

  private void countNew(int keyLevel, long at, boolean fresh) {
    if (fresh) {
      windowed[keyLevel].addCrossed(table.get(at + REPEATS) & COUNT_MASK);
    }
    count(fpr[keyLevel], at + NEWS, !fresh);
  }

  private void countRepeat(int keyLevel, long at, boolean fresh) {
    if (fresh) {
      long news = table.get(at + NEWS);
      windowed[keyLevel].addCrossed((news >>> 32) - (news & COUNT_MASK));
    }
    count(fnr[keyLevel], at + REPEATS, fresh);
  }

  private void count(KeySums sums, long at, boolean error) {
    long trials = table.get(at) >>> 32;
    long errors = table.get(at) & COUNT_MASK;
    if (trials < MAX_COUNT) {
      sums.add(errors, trials, error);
      table.set(at, ((trials + 1) << 32) | (errors + (error ? 1 : 0)));
    }
  }

  /** Keeps a quarter of the table free. */
  private void makeRoom() {
    if (keys <= capacity / 4 * 3) {
      return;
    }
    rebuild();
    while (keys > capacity / 2 && level < LEVELS - 1) {
      level++;
      rebuild();
    }
  }

  /** Drops the keys whose window has passed, and those that are not followed any more. */
  private void rebuild() {
    Words old = table;
    table = new Words(capacity * ENTRY_WORDS);
    keys = 0;
    for (long from = 0; from < old.length(); from += ENTRY_WORDS) {
      if (old.get(from + NEWS) != 0 && stays(old.get(from), old.get(from + STAMP))) {
        long at = find(old.get(from));
        if (at == NOWHERE) {
          continue;
        }
        insert(at, old.get(from), old.get(from + STAMP));
        table.set(at + NEWS, old.get(from + NEWS));
        table.set(at + REPEATS, old.get(from + REPEATS));
      }
    }
  }

  private boolean stays(long hash, long stamp) {
    return levelOf(hash) >= level && (window.isNone() || moment() - stamp < window.length());
  }

  private long moment() {
    return window.isTime() ? now : records;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    keys = visitor.number("followed keys", keys, 0, capacity);
    level = (int) visitor.number("halvings", level, 0, LEVELS - 1);
    records = visitor.count("records", records);
    now = visitor.number("now", now);
    for (KeySums[] sums : Arrays.asList(fpr, fnr)) {
      for (KeySums sum : sums) {
        sum.state(visitor);
      }
    }
    if (!window.isNone()) {
      for (WindowSums sum : windowed) {
        sum.state(visitor);
      }
    }
    visitor.words(table, new TableCheck());
  }

  /** Rejects entries that no stream could have produced, and keys that would not be found. */
  private final class TableCheck implements StorageCheck {
    private final ProbeCheck probes = new ProbeCheck(capacity, MOST_PROBES);
    private final KeySums[] foundFpr = sums();
    private final KeySums[] foundFnr = sums();
    private long found;

    @Override
    public void take(long index, long[] words, int from, int count) {
      for (int i = from; i < from + count; i += ENTRY_WORDS) { // no entry lies in two blocks
        long slot = (index + i - from) / ENTRY_WORDS;
        if (words[i + NEWS] == 0) {
          requireEntry(words[i] == 0 && words[i + STAMP] == 0 && words[i + REPEATS] == 0, slot);
          probes.free(slot);
        } else {
          found++;
          requireEntry(isPossible(words, i), slot);
          probes.taken(slot, homeOf(words[i]), words[i]);
          int keyLevel = levelOf(words[i]);
          foundFpr[keyLevel].addKey(words[i + NEWS] & COUNT_MASK, words[i + NEWS] >>> 32);
          foundFnr[keyLevel].addKey(words[i + REPEATS] & COUNT_MASK, words[i + REPEATS] >>> 32);
        }
      }
    }

    private boolean isPossible(long[] words, int at) {
      long hash = words[at];
      return follows(hash)
          && levelOf(hash) >= level
          && words[at + STAMP] <= moment()
          && isCount(words[at + NEWS])
          && isCount(words[at + REPEATS]);
    }

    private static boolean isCount(long trialsAndErrors) {
      long trials = trialsAndErrors >>> 32;
      return trials <= MAX_COUNT && (trialsAndErrors & COUNT_MASK) <= trials;
    }

    private static void requireEntry(boolean holds, long slot) {
      if (!holds) {
        throw new IllegalArgumentException(
            "entry %d of the audit has an impossible key, time or count".formatted(slot));
      }
    }

    @Override
    public void end() {
      probes.end();
      StorageCheck.requireCount("followed keys", keys, found);
      long trials = 0;
      for (int i = 0; i < LEVELS; i++) {
        fpr[i].requireAtLeast(foundFpr[i]); // some keys may have been dropped
        fnr[i].requireAtLeast(foundFnr[i]);
        trials = Counts.sum(trials, Counts.sum(fpr[i].trials, fnr[i].trials));
      }
      if (trials > records) {
        throw new IllegalArgumentException(
            "audited trials (%d) must be at most the records (%d)".formatted(trials, records));
      }
    }
  }
}
