package dev.unseen;

import dev.unseen.audit.AuditReport;
import dev.unseen.bits.Answers;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterMerge;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Shard;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.ClockState;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotFormat;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The engine behind every door: lets each key through once, by its hash. A {@link Deduplicator} is
 * a key and a gate; the command line and the engines of others hold a gate each.
 *
 * <p>It joins a filter with what surrounds it: the clock that windows go by, the audit that
 * measures errors, the counts, the alarm, the reservations, and the saved state.
 *
 * <pre>{@code
 * Gate gate = Gate.builder().memory(MiB(64)).build();
 * long hash = gate.hash().hash(bytes);
 * boolean fresh = gate.admit(hash);
 * }</pre>
 *
 * <p>One thread at a time, unless it was built with {@link GateOptions#concurrent}.
 */
public final class Gate {
  private final GateSettings settings;
  private final RecordClock clock;
  private final boolean timed; // by a window of time
  private final AlarmBell bell;
  private final Reservations reservations;
  private final Map<String, String> metadata;
  private final KeyForm keyForm;
  private final double maxFpr;
  private final WatchedFilter filter;

  Gate(Snapshot state, GateSettings settings) {
    this.settings = settings;
    this.metadata = state.metadata();
    this.keyForm = settings.keyForm().join(KeyForm.of(state.keyForm()));
    this.maxFpr = state.maxFpr();
    this.clock = settings.clock(state.spec().window(), state.clock());
    this.timed = clock.isNeeded();
    this.bell = new AlarmBell(settings.onAlarm());
    this.reservations = new Reservations(settings.maxReservations());
    this.filter = new WatchedFilter(state);
  }

  /** Starts to build a gate. */
  public static GateBuilder builder() {
    return new GateBuilder();
  }

  /** Returns the hash of keys, with the seed of this gate. */
  public Hash64 hash() {
    return spec().keyHash();
  }

  /**
   * Takes a hash in; true if it was not seen before, so that its record is to be let through. With
   * a window of time it counts as seen now, by the clock.
   */
  public boolean admit(long hash) {
    return timed ? admit(hash, arrival()) : admitNow(hash, 0);
  }

  /**
   * Takes a hash in that was seen at this time, in milliseconds since 1970. A late one counts as
   * seen at the latest time so far, and so does one whose time is too far ahead to be believed.
   * Without a window of time, the time does not count.
   */
  public boolean admit(long hash, long millis) {
    if (!timed) {
      return admitNow(hash, 0);
    }
    long time = clock.accept(millis);
    stepTo(time);
    return admitNow(hash, time);
  }

  private long arrival() {
    requireArrival();
    return clock.now();
  }

  private void requireArrival() {
    if (clock.isEventTime()) {
      throw new IllegalStateException(
          "this gate goes by event time, so every record needs a time; call admit(hash, millis)");
    }
  }

  /**
   * Moves a window of time on to this time, in milliseconds since 1970, without taking in a record:
   * for those who are told that time has passed, as by a watermark. A time that is not later than
   * the latest so far, or too far ahead to be believed, changes nothing and is not counted.
   */
  public void advanceTo(long millis) {
    if (timed && clock.peek(millis) == millis) {
      stepTo(clock.accept(millis));
    }
  }

  /** A filter that was told no time yet waits for the first one that is believed. */
  private void stepTo(long time) {
    if (time != ClockState.NEVER) {
      filter().advanceTo(time);
    }
  }

  private boolean admitNow(long hash, long time) {
    boolean fresh = filter.admit(hash, time);
    if (filter.sharded() == null ? AlarmBell.isDue(filter.records()) : AlarmBell.isDueAt(hash)) {
      bell.check(this::report);
    }
    return fresh;
  }

  /**
   * Takes in {@code count} hashes from {@code offset} on, with the answers that {@link
   * #admit(long)} would give one by one, but faster on filters larger than the caches. With a
   * window of time all of them count as seen now.
   *
   * @param fresh receives the answers: bit {@code i % 64} of word {@code i / 64} is set if {@code
   *     hashes[offset + i]} is admitted; the bits of the last word beyond {@code count} are cleared
   * @return how many were admitted
   */
  public int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    long time = 0;
    if (timed) {
      time = clock.accept(arrival());
      stepTo(time);
    }
    int more = filter.admitAll(hashes, offset, count, new long[] {time}, 0, fresh);
    checkAlarm(hashes, offset, count);
    return more;
  }

  /**
   * Takes in hashes that were seen at times of their own, with the answers that {@link #admit(long,
   * long)} would give one by one.
   *
   * @param millis the times, from {@code offset} on as the hashes; see {@link #admit(long, long)}
   * @return how many were admitted
   */
  public int admitAll(long[] hashes, long[] millis, int offset, int count, long[] fresh) {
    if (!timed) {
      return admitAll(hashes, offset, count, fresh);
    }
    long[] run = new long[Answers.clear(fresh, count)];
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = clock.accept(millis[offset + i]);
    }
    int more = 0;
    for (int from = 0; from < count; ) {
      int to = endOfStep(times, from);
      stepTo(times[from]);
      more += filter.admitAll(hashes, offset + from, to - from, times, from, run);
      Answers.copy(run, to - from, fresh, from);
      from = to;
    }
    checkAlarm(hashes, offset, count);
    return more;
  }

  /**
   * Returns where the records end between which the window makes no step, so that they can be
   * decided together.
   */
  private int endOfStep(long[] times, int from) {
    boolean unknown = times[from] == ClockState.NEVER;
    long end = unknown ? ClockState.NEVER + 1 : clock.nextStepAfter(times[from]);
    int to = from + 1;
    while (to < times.length && times[to] < end) {
      to++;
    }
    return to;
  }

  private void checkAlarm(long[] hashes, int offset, int count) {
    boolean due = false;
    if (filter.sharded() == null) {
      due = AlarmBell.isDueBetween(records() - count, records());
    } else {
      for (int i = 0; i < count && !due; i++) {
        due = AlarmBell.isDueAt(hashes[offset + i]);
      }
    }
    if (due) {
      bell.check(this::report);
    }
  }

  /** Returns whether {@link #admit(long)} would reject this hash. Changes nothing. */
  public boolean mightContain(long hash) {
    return (timed && !clock.isEventTime())
        ? filter().mightContain(hash, clock.peek(clock.now()))
        : filter().mightContain(hash);
  }

  /** Returns whether {@link #admit(long, long)} would reject this hash. Changes nothing. */
  public boolean mightContain(long hash, long millis) {
    return timed ? filter().mightContain(hash, clock.peek(millis)) : filter().mightContain(hash);
  }

  /** Asks about a hash without taking it in; {@link Ticket#commit} takes it in. */
  public Ticket probe(long hash) {
    requireArrival();
    return new Ticket(!mightContain(hash), () -> admit(hash));
  }

  /** Asks about a hash of this time without taking it in; {@link Ticket#commit} takes it in. */
  public Ticket probe(long hash, long millis) {
    return new Ticket(!mightContain(hash, millis), () -> admit(hash, millis));
  }

  /** Reserves a hash for the caller, who commits or rolls back: see {@link Reservation}. */
  public Reservation reserve(long hash) {
    return timed ? reserve(hash, arrival(), true) : reserve(hash, 0, false);
  }

  /** Reserves a hash of this time for the caller, who commits or rolls back. */
  public Reservation reserve(long hash, long millis) {
    return reserve(hash, millis, false);
  }

  private Reservation reserve(long hash, long millis, boolean atCommit) {
    long now = clock.now();
    Reservation[] self = new Reservation[1];
    self[0] =
        Reservation.granted(
            now + settings.reservationMillis(),
            () -> atCommit ? admit(hash) : admit(hash, millis),
            () -> reservations.release(hash, self[0]));
    if (!reservations.hold(hash, self[0], now)) {
      return Reservation.settled(Reservation.Status.IN_FLIGHT);
    }
    if (!mightContain(hash, millis)) {
      return self[0];
    }
    // It is a duplicate, and counts as one. The filter may have changed its mind since.
    boolean fresh = self[0].commit();
    return Reservation.settled(fresh ? Reservation.Status.GRANTED : Reservation.Status.DUPLICATE);
  }

  /** Returns how many hashes were taken in so far. */
  public long records() {
    return filter.records();
  }

  /** Returns how many hashes were let through so far. */
  public long admitted() {
    return filter.admitted();
  }

  /** Returns what the filter was built from. */
  public FilterSpec spec() {
    return filter().spec();
  }

  DuplicateFilter filter() {
    return filter.filter();
  }

  /** Returns what the keys are, as far as it is known. */
  public KeyForm keyForm() {
    return keyForm;
  }

  /** Returns the texts that came with the state it was loaded from; none if it was not. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** Reports how it stands: counts, load, estimated and measured errors. */
  public Report report() {
    Snapshot state = snapshot(metadata);
    return Report.of(state, auditReport(state), reservations.count(clock.now()));
  }

  private static Optional<AuditReport> auditReport(Snapshot state) {
    synchronized (state.audit().<Object>map(audit -> audit).orElse(state)) {
      return state.auditReport();
    }
  }

  /**
   * Returns the state to save with these texts, for those who keep a {@link StateFile} open. It
   * refers to the living filter: write it before the next record is taken in, unless the gate is
   * concurrent.
   */
  public Snapshot snapshot(Map<String, String> texts) {
    return told(filter.snapshot()).with(texts);
  }

  /** Adds to a state of the filter what only the gate knows. */
  private Snapshot told(Snapshot state) {
    return state.withMaxFpr(maxFpr).withKeyForm(keyForm.text()).with(clock.state());
  }

  /** Saves the state in a file, in the place of the one before: see {@link StateFile}. */
  public void save(Path file, Map<String, String> texts) throws IOException {
    try (StateFile state = StateFile.open(file)) {
      state.save(snapshot(texts));
    }
  }

  /** Writes the state to a stream, which stays open. */
  public void save(OutputStream to, Map<String, String> texts) throws IOException {
    SnapshotFormat.write(snapshot(texts), to);
  }

  /** Writes the state to a channel, which stays open. */
  public void save(WritableByteChannel to, Map<String, String> texts) throws IOException {
    SnapshotFormat.write(snapshot(texts), to);
  }

  /**
   * Returns the shards that are held here, in the order of their numbers; none unless the gate is
   * {@linkplain GateOptions#concurrent concurrent}.
   */
  public List<Shard> shards() {
    return filter.sharded() == null ? List.of() : filter.sharded().shards();
  }

  /**
   * Writes one shard to a stream, which stays open. {@link GateOptions#loadShards} reads it in
   * another process, alone or with others. An audit is not part of a shard.
   *
   * @param index of the shard, 0 to 127
   */
  public void saveShard(int index, OutputStream to) throws IOException {
    ShardedFilter sharded = filter.sharded();
    if (sharded == null) {
      throw new IllegalStateException(
          "this filter is not in shards; build it with concurrent() to save shards of it");
    }
    SnapshotFormat.write(told(filter.snapshot()).shard(index), to);
  }

  /** Returns a gate of its own with the same state: what one takes in, the other does not. */
  public Gate copy() {
    return new Gate(told(filter.copy()).with(metadata), settings);
  }

  /** Forgets everything: all keys, counts, times, reservations, and what the audit measured. */
  public void clear() {
    filter.clear();
    clock.clear();
    reservations.clear();
  }

  /**
   * Joins what another gate has seen into this one: see {@link FilterMerge}. Both need equal specs,
   * seeds included. An audit ends, since neither has seen the other's records. The other gate stays
   * as it is; no thread may use either meanwhile.
   *
   * @throws IllegalArgumentException if the filters or their keys differ
   */
  public void merge(Gate other) {
    if (!keyForm.fits(other.keyForm)) {
      throw new IllegalArgumentException(
          "the gates have seen different keys: %s, and %s".formatted(keyForm, other.keyForm));
    }
    filter.merge(other.filter);
    clock.join(other.clock);
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
