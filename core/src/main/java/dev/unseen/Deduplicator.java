package dev.unseen;

import dev.unseen.bits.Answers;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
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
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

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
 * <p>{@link #through(Stream)} does the same, and is faster if all records are available.
 *
 * <p>The answers are approximate: a deduplicator may lose a new record, and it may let a duplicate
 * through. {@link #estimatedFpr} returns how likely the first error is at present.
 *
 * <p>Only one thread may use a deduplicator at a time, unless it was built with {@link
 * DeduplicatorBuilder#concurrent}. If two threads use it at the same time, a call fails with a
 * {@link java.util.ConcurrentModificationException}; nearly every such overlap is detected. {@link
 * #report}, {@link #records} and {@link #admitted} may be called by any thread at any time.
 *
 * @param <T> the type of the records
 */
public final class Deduplicator<T> {
  private final Key<? super T> key;
  private final Gate gate;
  private final Hash64 hash;
  private final @Nullable ToLongFunction<? super T> time; // null: use the time of arrival
  private final @Nullable Predicate<? super T> wasSeen; // null: the filter decides alone

  Deduplicator(
      Key<? super T> key,
      Gate gate,
      @Nullable ToLongFunction<? super T> time,
      @Nullable Predicate<? super T> wasSeen) {
    this.key = key;
    this.gate = gate;
    this.hash = gate.hash();
    this.time = gate.spec().window().isTime() ? time : null;
    this.wasSeen = wasSeen;
  }

  /** Starts to build a deduplicator for records with this key. */
  public static <T> DeduplicatorBuilder<T> builder(Key<T> key) {
    return new DeduplicatorBuilder<>(key);
  }

  /**
   * Loads a saved state and continues from it, as if the process had never stopped. {@link
   * DeduplicatorBuilder#load} is the method for loading with options.
   *
   * @throws SnapshotException if the file is damaged, or is not a state
   */
  public static <T> Deduplicator<T> load(Key<T> key, Path file) throws IOException {
    return builder(key).load(file);
  }

  /**
   * Checks a record and remembers its key. Returns true if the record is new, so that the caller
   * lets it through. The key counts as seen from now on, whatever the caller does with the record.
   * After a crash the filter is that of the last save: records admitted since then are new again.
   */
  public boolean admit(T record) {
    return admit(record, hash(record), timeOf(record));
  }

  boolean admit(T record, long hashed, long millis) {
    return admitByFilter(record, hashed, millis)
        || (isDoubtful(record, hashed, millis) && gate.rescue());
  }

  /** Checks a record, and asks for no second opinion. */
  boolean admitByFilter(T record, long hashed, long millis) {
    if (isKnown(record, hashed, millis)) {
      gate.admitKnown(hashed, millis);
      return false;
    }
    return gate.admit(hashed, millis);
  }

  /** Returns whether a record that the filter rejects is new by the second opinion. */
  private boolean isDoubtful(T record, long hashed, long millis) {
    return wasSeen != null && !gate.isTooLate(hashed, millis) && !wasSeen.test(record);
  }

  /** Returns whether a filter from before a change of hashes knows the key of a record. */
  private boolean isKnown(T record, long hashed, long millis) {
    return gate.rehashes() && gate.isKnown(hashed, millis, former -> key.hash(record, former));
  }

  long hash(T record) {
    return key.hash(record, hash);
  }

  long timeOf(T record) {
    return time == null ? Gate.ARRIVAL : time.applyAsLong(record);
  }

  boolean hasTimes() {
    return time != null;
  }

  @Nullable Predicate<? super T> secondOpinion() {
    return wasSeen;
  }

  /**
   * Checks all records in order and remembers their keys. Returns the records for which {@link
   * #admit} would have returned true. This is faster than one call per record if the filter is
   * larger than the processor's caches. If any record has no key, the call fails before the first
   * record is processed.
   */
  public List<T> admitAll(Collection<? extends T> batch) {
    List<T> all = new ArrayList<>(Objects.requireNonNull(batch, "batch is null"));
    int count = all.size();
    HashedBlock<T> block = new HashedBlock<>(this, count);
    for (int i = 0; i < count; i++) {
      block.put(i, all.get(i));
    }
    long[] fresh = new long[(count + Long.SIZE - 1) / Long.SIZE];
    int admitted = block.admit(count, all::get, fresh);
    List<T> through = new ArrayList<>(admitted);
    for (int i = 0; i < count; i++) {
      if (Answers.has(fresh, i)) {
        through.add(all.get(i));
      }
    }
    return through;
  }

  /**
   * Returns the new records of a stream, in order and lazily. The result equals {@code
   * source.filter(this::admit)}, at the speed of {@link #admitAll} where possible.
   *
   * <pre>{@code
   * dedup.through(clicks.stream()).forEach(sink);
   * }</pre>
   *
   * <p>To be fast, it reads up to 256 records ahead and decides them together. It does so only if
   * the stream knows its size, as the streams of collections and arrays do, because the records of
   * a sized stream are already available. Any other source may pause and would then hold back the
   * records that were read ahead, so it is read record by record. {@link #through(Stream,
   * BooleanSupplier)} is for sources that can say whether the next record is available.
   *
   * <p>The first block is one record, and each block can be twice as large as the one before it. A
   * block ends after one millisecond of reading, and the next block is a single record again. A
   * slow function in the stream, such as {@code map(http::get)}, therefore gains nothing and holds
   * back nothing. A sized source that is fast at first and then waits within one record ({@code
   * range(0, n).mapToObj(i -> queue.take())}) can hold back up to 255 records: use {@code
   * filter(this::admit)} there.
   *
   * <p>Records that were read ahead count as seen, and are included in {@link #records}, although
   * they are returned later, or never if the caller stops early. At most 255 records are read
   * ahead, and never more than were read before. Save the state when the stream has ended, not
   * while it is being read; if that is too late, use {@code filter(this::admit)}. If the source or
   * a key throws an exception, all records before it are returned first.
   *
   * <p>The returned stream is sequential, whatever the source was. Closing it closes the source.
   */
  public Stream<T> through(Stream<? extends T> source) {
    return stream(source, null);
  }

  /**
   * Returns the new records of a stream, as {@link #through(Stream)} does, and reads ahead as long
   * as the next record is available.
   *
   * <pre>{@code
   * dedup.through(Files.lines(file), () -> true); // a file does not pause
   * }</pre>
   *
   * @param ready returns whether the source can return its next record without waiting. It is
   *     called before each record that is read ahead, by the thread that reads.
   */
  public Stream<T> through(Stream<? extends T> source, BooleanSupplier ready) {
    return stream(source, Objects.requireNonNull(ready, "ready is null"));
  }

  private Stream<T> stream(Stream<? extends T> source, @Nullable BooleanSupplier ready) {
    Objects.requireNonNull(source, "source is null");
    Spliterator<? extends T> records = source.sequential().spliterator();
    return StreamSupport.<T>stream(lookAhead(records, ready), false).onClose(source::close);
  }

  /**
   * Returns the new records of an iterator, in order and lazily. An iterator cannot say whether its
   * next record is available, so it is read record by record, and a pause holds nothing back.
   * {@link #through(Iterator, BooleanSupplier)} reads ahead.
   */
  public Iterator<T> through(Iterator<? extends T> source) {
    return Spliterators.iterator(lookAhead(spliterator(source), null));
  }

  /**
   * Returns the new records of an iterator, in order and lazily. It reads up to 256 records ahead
   * as long as the next one is available: see {@link #through(Stream)}.
   *
   * <pre>{@code
   * dedup.through(consumer.iterator(), () -> !queue.isEmpty());
   * }</pre>
   *
   * @param ready returns whether the source can return its next record without waiting. It is
   *     called before each record that is read ahead, by the thread that reads.
   */
  public Iterator<T> through(Iterator<? extends T> source, BooleanSupplier ready) {
    Objects.requireNonNull(ready, "ready is null");
    return Spliterators.iterator(lookAhead(spliterator(source), ready));
  }

  private Spliterator<? extends T> spliterator(Iterator<? extends T> source) {
    Objects.requireNonNull(source, "source is null");
    return Spliterators.spliteratorUnknownSize(source, Spliterator.ORDERED);
  }

  private LookAhead<T> lookAhead(Spliterator<? extends T> source, @Nullable BooleanSupplier ready) {
    return new LookAhead<>(source, ready, this);
  }

  /**
   * Checks a record without remembering its key. {@link Ticket#commit} remembers the key once the
   * record has been delivered: each record is delivered at least once.
   */
  public Ticket probe(T record) {
    long hashed = hash(record);
    long millis = timeOf(record);
    boolean fresh = !isKnown(record, hashed, millis) && gate.probe(hashed, millis).fresh();
    boolean rescued = !fresh && isDoubtful(record, hashed, millis);
    return new Ticket(
        fresh || rescued,
        () -> admitByFilter(record, hashed, millis) || (rescued && gate.rescue()));
  }

  /**
   * Reserves the key of a record while the caller works on it. Other callers with the same key get
   * the status {@code IN_FLIGHT}: see {@link Reservation}.
   *
   * @throws ReservationLimitException if the key is neither known nor reserved, and no more keys
   *     can be reserved at present
   */
  public Reservation reserve(T record) {
    long hashed = hash(record);
    long millis = timeOf(record);
    if (isKnown(record, hashed, millis) && !isDoubtful(record, hashed, millis)) {
      gate.admitKnown(hashed, millis);
      return new Reservations.Rejected(Reservation.Status.DUPLICATE);
    }
    return gate.reserve(hashed, millis, wasSeen == null ? null : () -> wasSeen.test(record));
  }

  /**
   * Does some work for a record unless it was done before, and remembers the key once the work is
   * done.
   *
   * <pre>{@code
   * Outcome<Receipt> outcome = orders.runOnce(order, () -> ship(order));
   * if (outcome.ran()) {
   *   reply(outcome.value());
   * }
   * }</pre>
   *
   * <p>If the work throws, the key is released, and the next caller with this key does the work.
   * While one caller works, others with the same key get the status {@code IN_FLIGHT}, and their
   * work is not done: see {@link Reservation}.
   *
   * @throws X what the work has thrown
   * @throws ReservationLimitException if the key is neither known nor reserved, and no more keys
   *     can be reserved at present
   */
  public <V, X extends Exception> Reservation.Outcome<V> runOnce(
      T record, Reservation.Work<V, X> work) throws X {
    Objects.requireNonNull(work, "work is null");
    return reserve(record).run(work);
  }

  /** Returns whether {@link #admit} would reject this record. Changes nothing. */
  public boolean mightContain(T record) {
    long hashed = hash(record);
    long millis = timeOf(record);
    return (gate.mightContain(hashed, millis) || isKnown(record, hashed, millis))
        && !isDoubtful(record, hashed, millis);
  }

  /**
   * Returns whether a record could not be checked now, because of its event time: see {@link
   * Gate#isTooLate}. Changes nothing.
   */
  public boolean isTooLate(T record) {
    return time != null && gate.isTooLate(hash(record), timeOf(record));
  }

  /** Returns the gate of this deduplicator, for callers that have hashes instead of records. */
  public Gate gate() {
    return gate;
  }

  /** Returns the number of records processed so far. */
  public long records() {
    return gate.records();
  }

  /** Returns the number of records let through so far. */
  public long admitted() {
    return gate.admitted();
  }

  /** Returns the share of the memory in use, 0 to 1. */
  public double load() {
    return gate.filter().load();
  }

  /** Returns an estimate of the chance that a new record is lost. */
  public double estimatedFpr() {
    return gate.filter().estimatedFpr();
  }

  /** Returns an estimate of the number of distinct keys that the filter holds. */
  public long estimatedCardinality() {
    return Math.round(gate.filter().estimatedCardinality());
  }

  /**
   * Returns the size of the filter's storage in bytes. {@link Report#overheadBytes} returns the
   * memory used in addition: about 3 KB for a filter, 350 KB if it is concurrent, and 2 MiB for an
   * audit with the default memory.
   */
  public long memoryBytes() {
    return gate.filter().memoryBytes();
  }

  /**
   * Returns the share of the window that the memory covers, 0 to 1: how long recently forgotten
   * keys were kept on average, as a share of the window. The value is 1 if there is no window.
   */
  public double windowCoverage() {
    return gate.report().windowCoverage();
  }

  /**
   * Returns a report with counts, load, and estimated and measured errors. Any thread may call this
   * at any time, also while one thread uses a deduplicator that is not concurrent.
   */
  public Report report() {
    return gate.report();
  }

  /** Returns the spec that the filter was built from. */
  public FilterSpec spec() {
    return gate.spec();
  }

  /** Returns the texts that were saved with the state. The map is empty if no state was loaded. */
  public Map<String, String> metadata() {
    return gate.metadata();
  }

  /**
   * Saves the state in a file and replaces the previous state there: see {@link StateFile}. Other
   * threads can use a concurrent deduplicator meanwhile: see {@link StateFile#save}.
   */
  public void save(Path file) throws IOException {
    save(file, metadata());
  }

  /**
   * Saves the state together with short texts, such as the offsets of the sources. {@link
   * #metadata} returns them after loading.
   */
  public void save(Path file, Map<String, String> texts) throws IOException {
    gate.save(file, texts);
  }

  /**
   * Writes the state to a stream. The stream stays open. Other threads can use a concurrent
   * deduplicator meanwhile: see {@link Snapshot#write(OutputStream)}.
   */
  public void save(OutputStream to) throws IOException {
    gate.save(to, metadata());
  }

  /**
   * Writes the state to a channel, which must be blocking. The channel stays open. Other threads
   * can use a concurrent deduplicator meanwhile, as with a stream.
   */
  public void save(WritableByteChannel to) throws IOException {
    gate.save(to, metadata());
  }

  /**
   * Returns the state with these texts, ready to be saved by a caller that keeps a {@link
   * StateFile} open.
   */
  public Snapshot snapshot(Map<String, String> texts) {
    return gate.snapshot(texts);
  }

  /**
   * Returns the numbers of the shards that this deduplicator holds. The list is empty unless it is
   * concurrent.
   */
  public List<Integer> shards() {
    return gate.shards();
  }

  /**
   * Returns the number of the shard that a record belongs to, 0 to 127. The number is the same in
   * every process with the same secret or seed.
   */
  public int shardOf(T record) {
    return ShardedFilter.shardOf(hash(record));
  }

  /**
   * Writes one shard to a stream. The stream stays open. {@link DeduplicatorBuilder#loadShards}
   * reads the shard in another process, alone or with others.
   */
  public void saveShard(int index, OutputStream to) throws IOException {
    gate.saveShard(index, to);
  }

  /** Returns an independent deduplicator with the same state. */
  public Deduplicator<T> copy() {
    return new Deduplicator<>(key, gate.copy(), time, wasSeen);
  }

  /**
   * Forgets everything: all keys, counts, times, reservations, and the results of the audit. Other
   * threads that use a concurrent deduplicator wait meanwhile.
   */
  public void clear() {
    gate.clear();
  }

  /**
   * Merges the keys that another deduplicator has seen into this one: see {@link Gate#merge}. Other
   * threads can use concurrent deduplicators meanwhile.
   *
   * @throws IllegalArgumentException if their filters or keys differ, or if it is the same
   *     deduplicator
   */
  public void merge(Deduplicator<T> other) {
    Objects.requireNonNull(other, "other is null; name the deduplicator to merge into this one");
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
