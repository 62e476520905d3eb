package dev.unseen;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Shard;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.filter.Windowed;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Lets each record of a stream through once, in memory that never grows.
 *
 * <pre>{@code
 * Deduplicator<Click> dedup =
 *     Deduplicator.builder(Keys.utf8(Click::id))
 *         .memory(MiB(256))
 *         .maxFalsePositiveRate(1e-4)
 *         .build();
 * clicks.filter(dedup::admit).forEach(sink); // true: not seen before, let it through
 * }</pre>
 *
 * <p>Approximate, as {@link DuplicateFilter} explains: it may lose a new record, and it may let a
 * duplicate through. {@link #estimatedFpr} tells how likely the former is at present.
 *
 * <p>One thread at a time, unless it was built with {@link GateOptions#concurrent}.
 *
 * @param <T> the records
 */
public final class Deduplicator<T> {
  private final Key<? super T> key;
  private final Gate gate;
  private final Hash64 hash;
  private final ToLongFunction<? super T> time; // null: times of arrival

  Deduplicator(Key<? super T> key, Gate gate, ToLongFunction<? super T> time) {
    this.key = key;
    this.gate = gate;
    this.hash = gate.hash();
    this.time = gate.spec().window().isTime() ? time : null;
  }

  /** Starts to build a deduplicator for records with this key. */
  public static <T> DeduplicatorBuilder<T> builder(Key<T> key) {
    return new DeduplicatorBuilder<>(key);
  }

  /**
   * Goes on from a saved state, as if it had never stopped; {@link GateOptions#load} does it with
   * options.
   *
   * @throws SnapshotException if the file is damaged, or is not a state
   */
  public static <T> Deduplicator<T> load(Key<T> key, Path file) throws IOException {
    return builder(key).load(file);
  }

  /**
   * Takes a record in; true if it was not seen before, so that it is to be let through. The record
   * counts as seen from now on, whatever becomes of it: at most once.
   */
  public boolean admit(T record) {
    long hashed = key.hash(record, hash);
    return time == null ? gate.admit(hashed) : gate.admit(hashed, time.applyAsLong(record));
  }

  /**
   * Takes all records in, in their order, and returns those that {@link #admit} would have let
   * through; faster than one by one on filters larger than the processor's caches. A record without
   * a key fails the call before any record is taken in.
   */
  public List<T> admitAll(Collection<? extends T> batch) {
    List<T> all = new ArrayList<>(batch);
    int count = all.size();
    long[] hashes = new long[count];
    long[] times = new long[time == null ? 0 : count];
    for (int i = 0; i < count; i++) {
      hashes[i] = key.hash(all.get(i), hash);
      if (time != null) {
        times[i] = time.applyAsLong(all.get(i));
      }
    }
    long[] fresh = new long[(count + Long.SIZE - 1) / Long.SIZE];
    int admitted =
        time == null
            ? gate.admitAll(hashes, 0, count, fresh)
            : gate.admitAll(hashes, times, 0, count, fresh);
    List<T> through = new ArrayList<>(admitted);
    for (int i = 0; i < count; i++) {
      if (((fresh[i >>> 6] >>> i) & 1) != 0) {
        through.add(all.get(i));
      }
    }
    return through;
  }

  /**
   * Asks about a record without taking it in; {@link Ticket#commit} takes it in once it has been
   * delivered: at least once.
   */
  public Ticket probe(T record) {
    long hashed = key.hash(record, hash);
    return time == null ? gate.probe(hashed) : gate.probe(hashed, time.applyAsLong(record));
  }

  /**
   * Reserves the key of a record while the caller works on it, so that others with the same key are
   * told that it is in flight: see {@link Reservation}.
   */
  public Reservation reserve(T record) {
    long hashed = key.hash(record, hash);
    return time == null ? gate.reserve(hashed) : gate.reserve(hashed, time.applyAsLong(record));
  }

  /** Returns whether {@link #admit} would reject this record. Changes nothing. */
  public boolean mightContain(T record) {
    long hashed = key.hash(record, hash);
    return time == null
        ? gate.mightContain(hashed)
        : gate.mightContain(hashed, time.applyAsLong(record));
  }

  /** Returns the engine, for those who have hashes instead of records. */
  public Gate gate() {
    return gate;
  }

  /** Returns how many records were taken in so far. */
  public long records() {
    return gate.records();
  }

  /** Returns how many records were let through so far. */
  public long admitted() {
    return gate.admitted();
  }

  /** Returns the share of the memory in use: see {@link DuplicateFilter#load}. */
  public double load() {
    return gate.filter().load();
  }

  /** Returns the chance that a new record is lost: see {@link DuplicateFilter#estimatedFpr}. */
  public double estimatedFpr() {
    return gate.filter().estimatedFpr();
  }

  /** Returns about how many distinct keys the filter holds. */
  public long estimatedCardinality() {
    return Math.round(gate.filter().estimatedCardinality());
  }

  /**
   * Returns the bytes of the filter's storage. {@link Report#overheadBytes} tells what is beside
   * it: some 3 KB for a filter, 330 KB if it is concurrent, and 2 MiB for the usual audit.
   */
  public long memoryBytes() {
    return gate.filter().memoryBytes();
  }

  /**
   * Returns how much of the window the memory covers, 0 to 1: see {@link Windowed#coverage}. 1 if
   * there is no window.
   */
  public double windowCoverage() {
    return gate.report().windowCoverage();
  }

  /** Reports how it stands: counts, load, estimated and measured errors. */
  public Report report() {
    return gate.report();
  }

  /** Returns what the filter was built from. */
  public FilterSpec spec() {
    return gate.spec();
  }

  /** Returns the texts that came with the state it was loaded from; none if it was not. */
  public Map<String, String> metadata() {
    return gate.metadata();
  }

  /** Saves the state in a file, in the place of the one before: see {@link StateFile}. */
  public void save(Path file) throws IOException {
    save(file, metadata());
  }

  /** Saves the state with short texts to find again, such as the offsets of the sources. */
  public void save(Path file, Map<String, String> texts) throws IOException {
    gate.save(file, texts);
  }

  /** Writes the state to a stream, which stays open. */
  public void save(OutputStream to) throws IOException {
    gate.save(to, metadata());
  }

  /** Writes the state to a channel, which stays open. */
  public void save(WritableByteChannel to) throws IOException {
    gate.save(to, metadata());
  }

  /** Returns the state to save with these texts, for those who keep a {@link StateFile} open. */
  public Snapshot snapshot(Map<String, String> texts) {
    return gate.snapshot(texts);
  }

  /** Returns the shards that are held here; none unless it is concurrent. */
  public List<Shard> shards() {
    return gate.shards();
  }

  /** Returns the shard that a record belongs to, 0 to 127, in this process or in another. */
  public int shardOf(T record) {
    return ShardedFilter.shardOf(key.hash(record, hash));
  }

  /**
   * Writes one shard to a stream, which stays open; {@link GateOptions#loadShards} reads it in
   * another process, alone or with others.
   */
  public void saveShard(int index, OutputStream to) throws IOException {
    gate.saveShard(index, to);
  }

  /** Returns a deduplicator of its own with the same state. */
  public Deduplicator<T> copy() {
    return new Deduplicator<>(key, gate.copy(), time);
  }

  /** Forgets everything: all keys, counts, times, reservations, and what the audit measured. */
  public void clear() {
    gate.clear();
  }

  /**
   * Joins what another deduplicator has seen into this one: see {@link Gate#merge}.
   *
   * @throws IllegalArgumentException if their filters or keys differ
   */
  public void merge(Deduplicator<T> other) {
    gate.merge(other.gate);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Deduplicator[%s, %,d records, %,d admitted]",
        spec().describe(),
        records(),
        admitted());
  }
}
