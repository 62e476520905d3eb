package dev.unseen.snapshot;

import dev.unseen.audit.shadow.Audit;
import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.state.Stateful;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Everything that survives a restart: a filter, its counts, and the texts that its user wants to
 * keep. A snapshot refers to the live filter and copies nothing. The methods that begin with {@code
 * with} return a changed snapshot and leave this one unchanged.
 */
@SuppressWarnings("exports") // what hidden types show is for our own modules
public final class Snapshot {
  /** The largest number of characters in the form of the keys. */
  public static final int MAX_KEY_FORM = 4000;

  /** The version of the format in which states are written. */
  public static final int FORMAT_VERSION = SnapshotFormat.VERSION;

  private final DuplicateFilter filter;
  private final Audit audit; // null: no audit
  private final long savedAtMillis;
  private final long records;
  private final long admitted;
  private final double maxFpr;
  private final Map<String, String> metadata;
  private final String keyForm;
  private final ClockState clock;
  private final boolean stored; // whether the filter contains its storage

  /** Creates a snapshot. Rejects values that cannot be saved. */
  private Snapshot(
      DuplicateFilter filter,
      Audit audit,
      long savedAtMillis,
      long records,
      long admitted,
      double maxFpr,
      Map<String, String> metadata,
      String keyForm,
      ClockState clock,
      boolean stored) {
    if (!(filter instanceof ShardedFilter) && !(filter instanceof Stateful)) {
      throw new IllegalArgumentException(
          "filter (%s) must be created by FilterSpec.build or ShardedFilter.of"
              .formatted(filter.getClass().getName()));
    }
    if (!(maxFpr > 0 && maxFpr <= 1)) {
      throw new IllegalArgumentException(
          "maxFpr (%s) must be above 0 and at most 1".formatted(maxFpr));
    }
    if (records < 0 || admitted < 0 || admitted > records) {
      throw new IllegalArgumentException(
          "admitted (%d) must be 0 to the records (%d)".formatted(admitted, records));
    }
    this.filter = filter;
    this.audit = audit;
    this.savedAtMillis = savedAtMillis;
    this.records = records;
    this.admitted = admitted;
    this.maxFpr = maxFpr;
    metadata.forEach(Snapshot::requireText);
    this.metadata = Map.copyOf(metadata);
    this.keyForm = Objects.requireNonNull(keyForm, "keyForm is null; the empty text is unknown");
    if (keyForm.length() > MAX_KEY_FORM) {
      throw new IllegalArgumentException(
          "the form of the key (%d characters) must have at most %d"
              .formatted(keyForm.length(), MAX_KEY_FORM));
    }
    this.stored = stored;
    this.clock = Objects.requireNonNull(clock, "clock is null; ClockState.UNKNOWN is none");
  }

  private static void requireText(String name, String text) {
    Objects.requireNonNull(name, "the name of a text is null; leave the text out");
    Objects.requireNonNull(text, () -> "the text '%s' is null; leave it out".formatted(name));
  }

  /**
   * Returns a snapshot of a filter with these counts. A filter in shards has its own counts, which
   * are read when the snapshot is written.
   *
   * @param filter a filter that {@link FilterSpec#build} or {@link ShardedFilter#of} created
   */
  public static Snapshot of(DuplicateFilter filter, long records, long admitted) {
    return new Snapshot(
        filter,
        null,
        System.currentTimeMillis(),
        records,
        admitted,
        filter.spec().maxFpr(),
        Map.of(),
        "",
        ClockState.UNKNOWN,
        true);
  }

  /** Sets short texts of the user, such as the offsets of the sources. */
  public Snapshot with(Map<String, String> texts) {
    Objects.requireNonNull(texts, "texts is null; Map.of() is none");
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, texts, keyForm, clock, stored);
  }

  /** Sets the audit of the filter. */
  public Snapshot with(Audit watching) {
    return new Snapshot(
        filter,
        watching,
        savedAtMillis,
        records,
        admitted,
        maxFpr,
        metadata,
        keyForm,
        clock,
        stored);
  }

  /** Sets the state of the clock. */
  public Snapshot with(ClockState time) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, keyForm, time, stored);
  }

  /**
   * Sets the largest share of new records that the user allows to be lost. The value 1 means no
   * limit.
   */
  public Snapshot withMaxFpr(double rate) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, rate, metadata, keyForm, clock, stored);
  }

  /** Sets the form of the keys as a short text. An empty text means unknown. */
  public Snapshot withKeyForm(String form) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, form, clock, stored);
  }

  /** Sets the time at which the state was saved, in milliseconds since 1970. */
  public Snapshot withSavedAt(long millis) {
    return new Snapshot(
        filter, audit, millis, records, admitted, maxFpr, metadata, keyForm, clock, stored);
  }

  /**
   * Marks the filter and the audit as having no storage, so that only their numbers can be read.
   */
  Snapshot withoutStorage() {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, keyForm, clock, false);
  }

  /**
   * Rejects a state that {@link StateFile#check} has read, because its filter holds no keys.
   *
   * @throws IllegalStateException if the filter holds no keys
   */
  public void requireStorage() {
    if (!stored) {
      throw new IllegalStateException(
          "this state was only checked, so its filter holds no keys; load it with StateFile.read");
    }
  }

  /** Returns a snapshot with the present counts of a filter in shards. */
  Snapshot counted() {
    if (!(filter instanceof ShardedFilter sharded)) {
      return this;
    }
    long taken = sharded.records();
    long let = Math.min(taken, sharded.admitted()); // other threads may continue between the two
    return new Snapshot(
        filter, audit, savedAtMillis, taken, let, maxFpr, metadata, keyForm, clock, stored);
  }

  /** Returns the filter itself. */
  public DuplicateFilter filter() {
    return filter;
  }

  /** Returns the spec that the filter was built from. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns the audit of the filter, if there is one. */
  public Optional<Audit> audit() {
    return Optional.ofNullable(audit);
  }

  /** Returns the time at which the state was saved, in milliseconds since 1970. */
  public long savedAtMillis() {
    return savedAtMillis;
  }

  /** Returns the number of records that the filter has processed. */
  public long records() {
    return records;
  }

  /** Returns the number of records that the filter has let through. */
  public long admitted() {
    return admitted;
  }

  /**
   * Returns the largest share of new records that the user allows to be lost. The value 1 means no
   * limit.
   */
  public double maxFpr() {
    return maxFpr;
  }

  /** Returns the texts of the user. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** Returns the form of the keys as a short text. An empty text means unknown. */
  public String keyForm() {
    return keyForm;
  }

  /** Returns the state of the clock. */
  public ClockState clock() {
    return clock;
  }

  /** Returns the number of filters that share the memory: 1, or {@link ShardedFilter#SHARDS}. */
  public int shards() {
    return filter instanceof ShardedFilter ? ShardedFilter.SHARDS : 1;
  }

  /**
   * Returns the numbers of the shards that the filter holds. The list is empty if the filter is not
   * in shards.
   */
  public List<Integer> heldShards() {
    return filter instanceof ShardedFilter sharded ? sharded.shardNumbers() : List.of();
  }

  /**
   * Returns one of the shards that it holds as a separate state. What was counted for all shards
   * together is in the state of the first shard, so that it is counted once when all are joined
   * again.
   *
   * @param index of the shard, 0 to 127
   * @throws IllegalArgumentException if the shard is not held
   */
  public Snapshot shard(int index) {
    if (!(filter instanceof ShardedFilter sharded)) {
      throw new IllegalArgumentException(
          "the filter of this state is not in shards; build it with concurrent()");
    }
    return part(sharded.view(sharded.shard(index)));
  }

  /** Returns the state of some of its shards, which then belong to that state only. */
  Snapshot keeping(IntPredicate kept) {
    ShardedFilter all = (ShardedFilter) filter;
    return part(
        ShardedFilter.of(
            spec(), all.shards().stream().filter(shard -> kept.test(shard.index())).toList()));
  }

  private Snapshot part(ShardedFilter some) {
    boolean first = heldShards().isEmpty() || some.holds(heldShards().get(0));
    return new Snapshot(
            some,
            null,
            savedAtMillis,
            0,
            0,
            maxFpr,
            metadata,
            keyForm,
            first ? clock : clock.withoutCounts(),
            stored)
        .counted();
  }

  /**
   * Reads a state of unknown size, to its end and no further. The bytes after it stay in the
   * channel.
   *
   * @param name the name of the state in error messages
   * @throws SnapshotException if a single byte has changed, or if the state is of another version
   */
  public static Snapshot read(ReadableByteChannel from, String name) throws IOException {
    return SnapshotFormat.read(from, name);
  }

  /**
   * Reads and checks a state in shards as {@link #read} does, but keeps only some of its shards,
   * and takes the memory of those only: for one of several processes that share them. The counts of
   * time go with the first shard of the state.
   *
   * @param shards whether to keep a shard, 0 to 127
   * @throws SnapshotException if the state is damaged, or not in shards
   */
  public static Snapshot readShards(ReadableByteChannel from, String name, IntPredicate shards)
      throws IOException {
    return SnapshotFormat.readShards(from, name, shards);
  }

  /** Reads the first bytes of a stream, and returns whether a state begins with them. */
  public static boolean isState(InputStream from) throws IOException {
    return SnapshotFormat.isState(from);
  }

  /**
   * Writes this state from its first byte to its last. The channel stays open.
   *
   * <p>Other threads can use a filter in shards meanwhile: each shard is copied in memory at a
   * different moment, and only threads that need the shard being copied wait. The state contains
   * each record from before the call, and perhaps some that came later.
   *
   * @throws java.util.ConcurrentModificationException if the filter is not in shards, and was used
   *     by two threads at one time
   */
  public void write(WritableByteChannel to) throws IOException {
    SnapshotFormat.write(this, to);
  }

  /** Writes this state to a stream. The stream stays open. */
  public void write(OutputStream to) throws IOException {
    SnapshotFormat.write(this, to);
  }

  /**
   * Merges the second state into the filter of the first, which then knows the keys of both. The
   * counts are added. Of two texts with the same name, the first state's text stays. Audits end,
   * because neither has seen the other's records. The stricter of the two limits applies.
   *
   * <p>If the states hold different shards of one filter, the result holds the shards of both.
   *
   * @throws IllegalArgumentException if the filters or their keys differ
   */
  public static Snapshot merge(Snapshot into, Snapshot from) {
    return SnapshotMerge.merge(into, from);
  }

  /** Returns all parts that have a state, in the order of the file. */
  List<Stateful> parts() {
    List<Stateful> parts = new ArrayList<>();
    if (filter instanceof ShardedFilter sharded) {
      parts.addAll(sharded.shards());
    } else {
      parts.add((Stateful) filter);
    }
    audit().ifPresent(parts::add);
    return parts;
  }
}
