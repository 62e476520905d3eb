package dev.unseen;

import dev.unseen.bits.Answers;
import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import dev.unseen.state.Counts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets each key through once, by its hash. The gate is the engine that all parts of Unseen share: a
 * {@link Deduplicator} is a key and a gate, and the command line and the stream processors each
 * hold a gate.
 *
 * <p>A gate combines a filter with everything around it: the clock for windows of time, the audit
 * that measures errors, the counts, the alarm, the reservations, and the saved state.
 *
 * <pre>{@code
 * Gate gate = Gate.builder().memory(MiB(64)).build();
 * long hash = gate.hash().hash(bytes);
 * boolean fresh = gate.admit(hash);
 * }</pre>
 *
 * <p>Only one thread may use a gate at a time, unless it was built with {@link
 * GateBuilder#concurrent}. If two threads use it at the same time, a call fails with a {@link
 * java.util.ConcurrentModificationException}; nearly every such overlap is detected. {@link
 * #report}, {@link #records} and {@link #admitted} may be called by any thread at any time.
 */
public final class Gate {
  /** Stands for the time at which a record arrives, where a time is expected. */
  static final long ARRIVAL = DuplicateFilter.NOW;

  /** Of the hashes, one in this number plus one is an occasion to end a handover. */
  private static final long END_MASK = 255;

  private final GateSettings settings;
  private final RecordClock clock;
  private final boolean timed; // whether there is a window of time
  private final AlarmBell bell;
  private final long alarmMask;
  private final Reservations reservations;
  private final Map<String, String> metadata;
  private final KeyForm keyForm;
  private final double maxFpr;
  private final WatchedFilter filter;
  private final LateRecords lateRecords;
  private final LongAdder rescued = new LongAdder(); // the filter counts them as duplicates
  private final AtomicLong resets = new AtomicLong();
  private volatile boolean rescues; // whether some can be

  Gate(Snapshot state, GateSettings settings) {
    GateConfig config = settings.config();
    this.settings = settings;
    this.metadata = state.metadata();
    this.keyForm = settings.keyForm().join(KeyForm.of(state.keyForm()));
    this.maxFpr = state.maxFpr();
    this.clock = new RecordClock(state.spec().window(), config, settings.source(), state.clock());
    this.timed = clock.isNeeded();
    this.bell = new AlarmBell(settings.onAlarm());
    this.alarmMask = AlarmBell.maskFor(state.spec().memoryBytes());
    this.reservations = new Reservations(config, settings.ticker());
    this.lateRecords = config.get(Option.LATE_RECORDS, LateRecords.ADMIT);
    this.filter = new WatchedFilter(state, lateRecords != LateRecords.ADMIT);
    long latest = state.clock().latest();
    if (clock.isAhead(latest)) {
      ClockState.warnAhead("the state", latest, clock.now());
      filter.setBack(clock.now());
      clock.setBack();
    }
    endHandover();
  }

  /** Drops the predecessors of which nothing can matter any more. */
  private void endHandover() {
    if (filter.handover() == Handover.NONE) {
      return;
    }
    long moment = timed ? (clock.isEventTime() ? clock.latest() : clock.now()) : records();
    long most = settings.config().get(Option.MAX_HANDOVER, GateOptions.FOREVER).toMillis();
    long now = clock.now();
    filter.endHandover(moment, one -> now - one.state().savedAtMillis() >= most);
  }

  /** Starts to build a gate. */
  public static GateBuilder builder() {
    return new GateBuilder();
  }

  /** Returns the hash function for keys, with the secret or the seed of this gate. */
  public Hash64 hash() {
    return spec().keyHash();
  }

  /**
   * Checks a hash and remembers it. Returns true if it is new, so that its record is let through.
   * If there is a window of time, the hash counts as seen now, according to the clock.
   */
  public boolean admit(long hash) {
    return admitAt(hash, timed ? arrive() : 0);
  }

  /**
   * Checks a hash that was seen at this time, in milliseconds since 1970, and remembers it. It is a
   * duplicate if it was seen less than a window before or after this time. A hash that is later
   * than {@link GateOptions#maxLateness} allows, or too far in the future, cannot be checked: it is
   * counted and not remembered, and {@link GateOptions#lateRecords} decides whether it is admitted.
   * Without a window of time, the time is ignored.
   *
   * @throws LateRecordException if it cannot be checked, and {@link LateRecords#FAIL} is set
   */
  public boolean admit(long hash, long millis) {
    if (lateRecords == LateRecords.FAIL) {
      return admitOrFail(hash, millis);
    }
    return admitAt(hash, accept(millis));
  }

  private boolean admitOrFail(long hash, long millis) {
    long[] late = new long[1];
    boolean fresh = decideAll(new long[] {hash}, new long[] {millis}, 0, 1, new long[1], late) > 0;
    if (late[0] != 0) {
      throw new LateRecordException(millis, clock.latest(), spec().window().lateness(), -1);
    }
    return fresh;
  }

  /**
   * Returns whether a record of this hash and time could not be checked now, because it is later
   * than {@link GateOptions#maxLateness} allows or too far in the future. In a concurrent gate the
   * latest time of the hash's shard decides. Changes nothing.
   */
  public boolean isTooLate(long hash, long millis) {
    return timed && !isArrival(millis) && filter.isTooLate(hash, clock.peek(millis));
  }

  /** Returns the time at which a record of this time counts as seen, and moves the clock on. */
  private long accept(long millis) {
    if (!timed) {
      return 0;
    }
    return isArrival(millis) ? arrive() : clock.accept(millis);
  }

  /** Returns the time at which a record of this time would count as seen. Changes nothing. */
  private long peek(long millis) {
    if (!timed) {
      return DuplicateFilter.NOW;
    }
    return isArrival(millis) ? clock.now() : clock.peek(millis);
  }

  boolean isEventTime() {
    return clock.isEventTime();
  }

  private boolean isArrival(long millis) {
    return millis == ARRIVAL && !clock.isEventTime();
  }

  private long arrive() {
    requireArrival();
    long now = clock.now();
    if (!clock.arrive(now)) {
      filter.setBack(now);
    }
    return now;
  }

  private void requireArrival() {
    if (clock.isEventTime()) {
      throw new IllegalStateException(
          "this gate uses event times, so every record needs a time; call admit(hash, millis)");
    }
  }

  /**
   * Advances the window of time to this time, in milliseconds since 1970, without a record, for
   * example on a watermark. A time that is not later than the latest so far, or too far in the
   * future, is ignored and not counted.
   */
  public void advanceTo(long millis) {
    if (timed && millis > clock.latest() && clock.peek(millis) != DuplicateFilter.UNKNOWN) {
      filter.advanceTo(clock.accept(millis));
    }
  }

  /**
   * Returns the time at which a hash of this time counts as seen: this time, or the latest time so
   * far if this time is too far in the future.
   */
  public long seenAt(long millis) {
    long time = clock.peek(millis);
    return time == DuplicateFilter.UNKNOWN ? clock.latest() : time;
  }

  /**
   * Returns the latest time so far, in milliseconds since 1970; {@link Long#MIN_VALUE} if there is
   * no window of time, or no time yet.
   */
  public long latestMillis() {
    return clock.latest();
  }

  /**
   * Returns whether a filter from before a change of the secret, the seed or the hash function is
   * still consulted. It cannot recognize the present hashes, so each record has to be checked with
   * {@link #isKnown} first.
   */
  public boolean rehashes() {
    return filter.handover().rehashes();
  }

  /** Returns the hash functions that {@link #isKnown} asks for at present. */
  public List<Hash64> formerHashes() {
    return filter.handover().formerHashes();
  }

  /**
   * Returns whether a filter from before a change of hashes knows a key, so that its record is a
   * duplicate: {@link #admitKnown(long)} counts it. Changes nothing.
   *
   * @param hash the present hash of the key
   * @param key returns the hash of the key with a hash function
   */
  public boolean isKnown(long hash, ToLongFunction<Hash64> key) {
    return filter.isKnown(hash, key, presentTime());
  }

  /** Returns whether a key is known at this time: see {@link #isKnown(long, ToLongFunction)}. */
  public boolean isKnown(long hash, long millis, ToLongFunction<Hash64> key) {
    return filter.isKnown(hash, key, peek(millis));
  }

  /** Counts a duplicate that {@link #isKnown(long, ToLongFunction)} has recognized. */
  public void admitKnown(long hash) {
    requireArrival();
    admitKnown(hash, ARRIVAL);
  }

  /** Counts a duplicate of this time that {@link #isKnown} has recognized. */
  public void admitKnown(long hash, long millis) {
    filter.admitKnown(hash, accept(millis));
    checkAlarm(hash);
    endHandoverNowAndThen(hash);
  }

  private void endHandoverNowAndThen(long hash) {
    if (filter.handover() != Handover.NONE && (hash & END_MASK) == 0) {
      endHandover();
    }
  }

  private boolean admitAt(long hash, long time) {
    boolean fresh = filter.admit(hash, time);
    checkAlarm(hash);
    endHandoverNowAndThen(hash);
    return fresh;
  }

  private void checkAlarm(long hash) {
    if ((timed && clock.hasJumped())
        || (filter.isConcurrent()
            ? AlarmBell.isDueAt(hash, alarmMask)
            : AlarmBell.isDue(filter.records()))) {
      bell.check(this::report);
    }
  }

  /**
   * Checks {@code count} hashes from {@code offset} on and remembers them. The answers are those of
   * {@link #admit(long)}, called once per hash, but it is faster if the filter is larger than the
   * processor's caches. If there is a window of time, all of them count as seen now.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} is admitted; the bits of the last word beyond {@code count} are cleared
   * @return the number of hashes that were admitted
   */
  public int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    long @Nullable [] now = timed ? new long[] {arrive()} : null;
    return admitAllAt(hashes, now, offset, count, fresh, null);
  }

  /**
   * Checks hashes that each have their own time, and remembers them. The answers are those of
   * {@link #admit(long, long)}, called once per hash.
   *
   * @param millis the times, which start at {@code offset} as the hashes do; see {@link
   *     #admit(long, long)}
   * @return the number of hashes that were admitted
   * @throws LateRecordException if one of them cannot be checked, and {@link LateRecords#FAIL} is
   *     set; all of them have been processed then
   */
  public int admitAll(long[] hashes, long[] millis, int offset, int count, long[] fresh) {
    return admitAll(hashes, millis, offset, count, fresh, null);
  }

  /**
   * Checks hashes that each have their own time, and remembers them, as {@link #admitAll(long[],
   * long[], int, int, long[])} does. With {@link LateRecords#FAIL} all hashes of the batch are
   * processed, so that {@code fresh} and {@code late} contain the answers, and then the call fails
   * for the first one that could not be checked.
   *
   * @param late receives a set bit for each hash that could not be checked because of its time, in
   *     the form of {@code fresh}; may be null
   * @return the number of hashes that were admitted
   * @throws LateRecordException if one of them cannot be checked, and {@link LateRecords#FAIL} is
   *     set
   */
  public int admitAll(
      long[] hashes, long[] millis, int offset, int count, long[] fresh, long @Nullable [] late) {
    if (lateRecords != LateRecords.FAIL) {
      return decideAll(hashes, millis, offset, count, fresh, late);
    }
    long[] tooLate = late == null ? new long[fresh.length] : late;
    int more = decideAll(hashes, millis, offset, count, fresh, tooLate);
    int first = Answers.first(tooLate, count);
    if (first >= 0) {
      throw new LateRecordException(
          millis[offset + first], clock.latest(), spec().window().lateness(), first);
    }
    return more;
  }

  private int decideAll(
      long[] hashes, long[] millis, int offset, int count, long[] fresh, long @Nullable [] late) {
    if (!timed) {
      return admitAllAt(hashes, null, offset, count, fresh, late);
    }
    long[] some = fromZero(hashes, offset, count);
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = clock.accept(millis[offset + i]);
    }
    return admitAllAt(some, times, 0, count, fresh, late);
  }

  private static long[] fromZero(long[] hashes, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    return offset == 0 ? hashes : Arrays.copyOfRange(hashes, offset, offset + count);
  }

  private int admitAllAt(
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    int more = filter.admitAll(hashes, times, offset, count, fresh, late);
    checkAlarm(hashes, offset, count);
    endHandover();
    return more;
  }

  private void checkAlarm(long[] hashes, int offset, int count) {
    boolean due = timed && clock.hasJumped();
    if (!filter.isConcurrent()) {
      due |= AlarmBell.isDueBetween(records() - count, records());
    } else {
      for (int i = 0; i < count && !due; i++) {
        due = AlarmBell.isDueAt(hashes[offset + i], alarmMask);
      }
    }
    if (due) {
      bell.check(this::report);
    }
  }

  /** Returns whether {@link #admit(long)} would reject this hash. Changes nothing. */
  public boolean mightContain(long hash) {
    return filter.mightContain(hash, presentTime());
  }

  private long presentTime() {
    if (!timed) {
      return DuplicateFilter.NOW;
    }
    return clock.isEventTime() ? clock.latest() : clock.now();
  }

  /**
   * Asks about {@code count} hashes from {@code offset} on. The answers are those of {@link
   * #mightContain(long)}, called once per hash, but it is faster if the filter is larger than the
   * processor's caches. Changes nothing.
   *
   * @param seen receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@link
   *     #admit(long)} would reject {@code hashes[offset + i]}; the bits of the last word beyond
   *     {@code count} are cleared
   * @return the number of hashes that would be rejected
   */
  public int mightContainAll(long[] hashes, int offset, int count, long[] seen) {
    return filter.mightContainAll(hashes, offset, count, presentTime(), seen);
  }

  /**
   * Asks about hashes at this time, as {@link #mightContainAll(long[], int, int, long[])} does. The
   * answers are those of {@link #mightContain(long, long)}. Changes nothing.
   *
   * @return the number of hashes that would be rejected
   */
  public int mightContainAll(long[] hashes, long millis, int offset, int count, long[] seen) {
    return filter.mightContainAll(hashes, offset, count, peek(millis), seen);
  }

  /** Returns whether {@link #admit(long, long)} would reject this hash. Changes nothing. */
  public boolean mightContain(long hash, long millis) {
    return filter.mightContain(hash, peek(millis));
  }

  /**
   * Returns whether this hash was seen after this time, to the step of the window, and is
   * remembered. Without a window of time, returns whether it is remembered. Changes nothing.
   */
  public boolean mightContainSince(long hash, long millis) {
    return filter.mightContain(
        hash, timed ? millis + spec().window().length() : DuplicateFilter.NOW);
  }

  private void requireChecked(long hash, long millis) {
    if (lateRecords == LateRecords.FAIL && isTooLate(hash, millis)) {
      admitOrFail(hash, millis);
    }
  }

  /** Checks a hash without remembering it. {@link Ticket#commit} remembers it. */
  public Ticket probe(long hash) {
    requireArrival();
    return probe(hash, ARRIVAL);
  }

  /**
   * Checks a hash that was seen at this time, without remembering it. {@link Ticket#commit}
   * remembers it.
   */
  public Ticket probe(long hash, long millis) {
    requireChecked(hash, millis);
    return new Ticket(!mightContain(hash, millis), () -> admit(hash, millis));
  }

  /**
   * Reserves a hash for the caller, who later commits or rolls back: see {@link Reservation}.
   *
   * @throws ReservationLimitException if the hash is neither known nor reserved, and no more hashes
   *     can be reserved at present
   */
  public Reservation reserve(long hash) {
    requireArrival();
    return reserve(hash, ARRIVAL, null);
  }

  /**
   * Reserves a hash that was seen at this time for the caller, who later commits or rolls back.
   *
   * @throws ReservationLimitException if the hash is neither known nor reserved, and no more hashes
   *     can be reserved at present
   */
  public Reservation reserve(long hash, long millis) {
    return reserve(hash, millis, null);
  }

  /** Reserves a hash of this time. A second opinion, if any, is asked if the filter has seen it. */
  Reservation reserve(long hash, long time, @Nullable BooleanSupplier wasSeen) {
    requireChecked(hash, time);
    long millis = timed && isArrival(time) ? arrive() : time;
    BooleanSupplier doubt = isDoubtful(hash, millis, wasSeen) ? wasSeen : null;
    if (doubt == null && admitDuplicate(hash, millis)) {
      return new Reservations.Rejected(Reservation.Status.DUPLICATE);
    }
    return reservations.reserve(
        hash,
        () -> admit(hash, time) || (doubt != null && rescue()),
        () -> (doubt == null || doubt.getAsBoolean()) && admitDuplicate(hash, millis));
  }

  /** Returns whether the filter has seen a hash, and the second opinion has not. */
  private boolean isDoubtful(long hash, long millis, @Nullable BooleanSupplier wasSeen) {
    return wasSeen != null
        && mightContain(hash, millis)
        && !isTooLate(hash, millis)
        && !wasSeen.getAsBoolean();
  }

  void allowRescues() {
    rescues = true;
  }

  /** Counts a record as admitted that the filter has counted as a duplicate. Returns true. */
  boolean rescue() {
    rescued.increment();
    return true;
  }

  /** Counts and remembers a hash if it is a duplicate, and returns whether it is one. */
  private boolean admitDuplicate(long hash, long millis) {
    if (!mightContain(hash, millis)) {
      return false;
    }
    boolean duplicate = filter.admitDuplicate(hash, accept(millis));
    checkAlarm(hash);
    return duplicate;
  }

  /** Returns the number of hashes processed so far. */
  public long records() {
    return filter.records();
  }

  /** Returns the number of hashes let through so far. */
  public long admitted() {
    return Counts.sum(filter.admitted(), rescued.sum());
  }

  /**
   * Returns the number of keys that were evicted before their window had passed, for lack of room.
   * It counts from the moment at which this gate was built or loaded. The value is 0 if there is no
   * window.
   */
  public long evictedEarly() {
    return filter().evictedEarly();
  }

  /** What of a gate changes its saved state; it was cleared or merged {@code resets} times. */
  record Version(long records, long resets) {}

  /** Returns a value that changes whenever the state that would be saved changes. */
  Version version() {
    return new Version(records(), resets.get());
  }

  /** Returns the spec that the filter was built from. */
  public FilterSpec spec() {
    return filter().spec();
  }

  DuplicateFilter filter() {
    return filter.filter();
  }

  /** Returns the form of the keys, as far as it is known. */
  public KeyForm keyForm() {
    return keyForm;
  }

  /** Returns the texts that were saved with the state. The map is empty if no state was loaded. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /**
   * Returns a report with counts, load, and estimated and measured errors. Any thread may call this
   * at any time, also while one thread uses a gate that is not concurrent. While other threads use
   * the gate, the counts may be of slightly different moments.
   */
  public Report report() {
    endHandover();
    return filter.atOneMoment(
        () ->
            new Report(
                snapshot(metadata),
                new Report.Live(
                    true,
                    reservations.count(),
                    clock.jumps(),
                    clock.hasJumpedLately(),
                    lateRecords == LateRecords.ADMIT,
                    rescues ? OptionalLong.of(rescued.sum()) : OptionalLong.empty())));
  }

  /**
   * Returns the state with these texts, ready to be saved by a caller that keeps a {@link
   * StateFile} open. The snapshot refers to the live filter: write it before the next record is
   * processed, unless the gate is concurrent.
   */
  public Snapshot snapshot(Map<String, String> texts) {
    return complete(filter.snapshot()).with(texts);
  }

  /** Adds to the state of the filter what only the gate knows. */
  private Snapshot complete(Snapshot state) {
    return state.withMaxFpr(maxFpr).withKeyForm(keyForm.text()).with(clock.state());
  }

  /**
   * Saves the state in a file and replaces the previous state there: see {@link StateFile}. Other
   * threads can use a concurrent gate meanwhile: see {@link StateFile#save}.
   */
  public void save(Path file, Map<String, String> texts) throws IOException {
    try (StateFile state = StateFile.open(file)) {
      state.save(snapshot(texts));
    }
  }

  /**
   * Writes the state to a stream. The stream stays open. Other threads can use a concurrent gate
   * meanwhile: see {@link Snapshot#write(OutputStream)}.
   */
  public void save(OutputStream to, Map<String, String> texts) throws IOException {
    snapshot(texts).write(to);
  }

  /**
   * Writes the state to a channel, which must be blocking. The channel stays open. Other threads
   * can use a concurrent gate meanwhile: see {@link Snapshot#write(WritableByteChannel)}.
   */
  public void save(WritableByteChannel to, Map<String, String> texts) throws IOException {
    snapshot(texts).write(to);
  }

  /**
   * Returns the numbers of the shards that this gate holds, in order. The list is empty unless the
   * gate is {@linkplain GateBuilder#concurrent concurrent}.
   */
  public List<Integer> shards() {
    return filter.filter() instanceof ShardedFilter held ? held.shardNumbers() : List.of();
  }

  /**
   * Writes one shard to a stream. The stream stays open. {@link GateBuilder#loadShards} reads the
   * shard in another process, alone or with others. An audit is not part of a shard.
   *
   * @param index the number of the shard, 0 to 127
   */
  public void saveShard(int index, OutputStream to) throws IOException {
    if (!filter.isConcurrent()) {
      throw new IllegalStateException(
          "this filter is not in shards; build it with concurrent() to save shards of it");
    }
    complete(filter.snapshot()).shard(index).write(to);
  }

  /** Returns an independent gate with the same state. */
  public Gate copy() {
    Gate copy = new Gate(copyState(null), settings);
    copy.rescued.add(rescued.sum());
    copy.rescues = rescues;
    return copy;
  }

  /**
   * Returns a copy of the state, which can be written while this gate is in use. Reusing the memory
   * of an earlier copy is several times as fast as allocating it: pass the copy back once it has
   * been written.
   *
   * @param spare what an earlier call has returned, which is then overwritten; null: none
   */
  public Snapshot copyState(@Nullable Snapshot spare) {
    return complete(filter.copy(spare)).with(metadata);
  }

  /**
   * Forgets everything: all keys, counts, times, reservations, and the results of the audit. Other
   * threads that use a concurrent gate wait meanwhile.
   */
  public void clear() {
    filter.clear();
    clock.clear();
    reservations.clear();
    rescued.reset();
    resets.incrementAndGet();
  }

  /**
   * Merges the keys that another gate with an equal spec has seen into this one. The audit ends,
   * because neither audit has seen the other gate's records. Keys of a gate whose clock was ahead
   * keep their ages, and a warning is logged. Concurrent gates may be in use meanwhile.
   *
   * @throws IllegalArgumentException if the filters or their keys differ, or if it is the same gate
   */
  public void merge(Gate other) {
    Objects.requireNonNull(other, "other is null; name the gate or deduplicator to merge");
    if (other == this) {
      throw new IllegalArgumentException(
          "a gate or deduplicator cannot be merged with itself; name another one");
    }
    if (!keyForm.fits(other.keyForm)) {
      throw new IllegalArgumentException(
          "the gates have seen different keys: %s, and %s".formatted(keyForm, other.keyForm));
    }
    long latest = other.clock.latest();
    boolean ahead = clock.isAhead(latest);
    if (ahead) {
      ClockState.warnAhead("the gate to merge", latest, clock.now());
    }
    filter.merge(other.filter, ahead ? clock.now() : Long.MAX_VALUE);
    clock.join(other.clock);
    rescued.add(other.rescued.sum());
    resets.incrementAndGet();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Gate[%s, %,d records, %,d admitted]",
        spec().describe(),
        records(),
        admitted());
  }
}
