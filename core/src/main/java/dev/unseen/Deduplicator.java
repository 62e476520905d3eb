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
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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
 * <p>{@link #through(Stream)} does the same, and is faster where all records are at hand.
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
    HashedBlock<T> block = new HashedBlock<>(key, gate, time, count);
    for (int i = 0; i < count; i++) {
      block.put(i, all.get(i));
    }
    long[] fresh = new long[(count + Long.SIZE - 1) / Long.SIZE];
    int admitted = block.admit(count, fresh);
    List<T> through = new ArrayList<>(admitted);
    for (int i = 0; i < count; i++) {
      if (((fresh[i >>> 6] >>> i) & 1) != 0) {
        through.add(all.get(i));
      }
    }
    return through;
  }

  /**
   * Returns the records of a stream that are new, in their order and lazily: the same as {@code
   * source.filter(this::admit)}, at the speed of {@link #admitAll} where that can be had.
   *
   * <pre>{@code
   * dedup.through(clicks.stream()).forEach(sink);
   * }</pre>
   *
   * <p>For that it reads up to 256 records ahead and decides them together. It does so only if the
   * stream knows its size, as those of collections and arrays do, since such a source has its
   * records at hand. Any other source may pause, and the records that were read ahead would then be
   * held back: it is read record by record, and nothing is held back, nor gained. {@link
   * #through(Stream, BooleanSupplier)} is for sources that can tell more.
   *
   * <p>The first block is one record, and each can be twice as large as the one before it. A block
   * ends when it took a millisecond to read, and the next one is a single record again; so a slow
   * function in the stream, such as {@code map(http::get)}, gains nothing and holds back nothing. A
   * sized source that is quick at first and then waits within one record ({@code range(0,
   * n).mapToObj(i -> queue.take())}) can hold back up to 255: use {@code filter(this::admit)}
   * there.
   *
   * <p>Records read ahead count as seen, and as {@link #records taken in}, although they are handed
   * out later, or never if the caller stops early (at most as many as were read before, and at most
   * 255). Save the state when the stream has ended, not within it; where that is too late, use
   * {@code filter(this::admit)}. If the source or a key throws, all records before come out first.
   *
   * <p>The stream is sequential, whatever the source was. Closing it closes the source.
   */
  public Stream<T> through(Stream<? extends T> source) {
    return stream(source, null);
  }

  /**
   * Returns the records of a stream that are new, as {@link #through(Stream)} does, and reads ahead
   * as long as the next record is at hand.
   *
   * <pre>{@code
   * dedup.through(Files.lines(file), () -> true); // a file does not pause
   * }</pre>
   *
   * @param ready tells, before a record is read ahead, whether the source has it at hand: whether
   *     asking for it returns without waiting. Asked by the thread that reads.
   */
  public Stream<T> through(Stream<? extends T> source, BooleanSupplier ready) {
    return stream(source, Objects.requireNonNull(ready, "ready is null"));
  }

  private Stream<T> stream(Stream<? extends T> source, BooleanSupplier ready) {
    Spliterator<? extends T> records = source.sequential().spliterator();
    return StreamSupport.<T>stream(lookAhead(records, ready), false).onClose(source::close);
  }

  /**
   * Returns the records of an iterator that are new, in their order and lazily. An iterator cannot
   * tell whether its next record is at hand, so it is read record by record, and nothing is held
   * back when it pauses; {@link #through(Iterator, BooleanSupplier)} reads ahead.
   */
  public Iterator<T> through(Iterator<? extends T> source) {
    return Spliterators.iterator(lookAhead(spliterator(source), null));
  }

  /**
   * Returns the records of an iterator that are new, in their order and lazily, and reads up to 256
   * of them ahead as long as the next one is at hand: see {@link #through(Stream)}.
   *
   * <pre>{@code
   * dedup.through(consumer.iterator(), () -> !queue.isEmpty());
   * }</pre>
   *
   * @param ready tells, before a record is read ahead, whether the source has it at hand: whether
   *     asking for it returns without waiting. Asked by the thread that reads.
   */
  public Iterator<T> through(Iterator<? extends T> source, BooleanSupplier ready) {
    Objects.requireNonNull(ready, "ready is null");
    return Spliterators.iterator(lookAhead(spliterator(source), ready));
  }

  private Spliterator<? extends T> spliterator(Iterator<? extends T> source) {
    return Spliterators.spliteratorUnknownSize(source, Spliterator.ORDERED);
  }

  private LookAhead<T> lookAhead(Spliterator<? extends T> source, BooleanSupplier ready) {
    return new LookAhead<>(source, ready, key, gate, time);
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
