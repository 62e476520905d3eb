package dev.unseen.snapshot;

import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.LockedShard;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.state.Counts;
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
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that survives a restart: a filter, its counts, and the texts that its user wants to
 * keep. A snapshot refers to the live filter and copies nothing. The methods that begin with {@code
 * with} return a changed snapshot and leave this one unchanged.
 */
public final class Snapshot {
  /** The largest number of characters in the form of the keys. */
  public static final int MAX_KEY_FORM = 4000;

  /** The version of the format in which states are written. */
  public static final int FORMAT_VERSION = SnapshotFormat.VERSION;

  /** The largest number of predecessors. */
  public static final int MAX_PREDECESSORS = 4;

  private final DuplicateFilter filter;

  // All others are set once, in a snapshot that nobody else has yet: see changed.
  private @Nullable Audit audit; // null: no audit
  private List<Snapshot> predecessors = List.of(); // the latest first
  private boolean stored = true; // whether the filter contains its storage
  private long savedAtMillis = System.currentTimeMillis();
  private long records;
  private long admitted;
  private double maxFpr;
  private Map<String, String> metadata = Map.of();
  private String keyForm = "";
  private ClockState clock = ClockState.NONE;
  private long dropped;

  private Snapshot(DuplicateFilter filter) {
    if (!(filter instanceof ShardedFilter) && !(filter instanceof Stateful)) {
      throw new IllegalArgumentException(
          "filter (%s) must be created by Filters.create or ShardedFilter.of"
              .formatted(filter.getClass().getName()));
    }
    this.filter = filter;
    this.maxFpr = filter.spec().maxFpr();
  }

  /** Returns a snapshot of another filter with everything else of this one, and a change. */
  private Snapshot over(DuplicateFilter other, Consumer<Snapshot> change) {
    Snapshot next = new Snapshot(other);
    next.audit = audit;
    next.predecessors = predecessors;
    next.stored = stored;
    next.savedAtMillis = savedAtMillis;
    next.records = records;
    next.admitted = admitted;
    next.maxFpr = maxFpr;
    next.metadata = metadata;
    next.keyForm = keyForm;
    next.clock = clock;
    next.dropped = dropped;
    change.accept(next);
    return next;
  }

  private Snapshot changed(Consumer<Snapshot> change) {
    return over(filter, change);
  }

  /**
   * Returns a snapshot of a filter with these counts. A filter in shards has its own counts, which
   * are read when the snapshot is written.
   *
   * @param filter a filter that {@link Filters#create} or {@link ShardedFilter#of} created
   */
  public static Snapshot of(DuplicateFilter filter, long records, long admitted) {
    Snapshot snapshot = new Snapshot(filter);
    snapshot.count(records, admitted);
    return snapshot;
  }

  private void count(long taken, long let) {
    if (taken < 0 || let < 0 || let > taken) {
      throw new IllegalArgumentException(
          "admitted (%d) must be 0 to the records (%d)".formatted(let, taken));
    }
    records = taken;
    admitted = let;
  }

  /** Sets short texts of the user, such as the offsets of the sources. */
  public Snapshot with(Map<String, String> texts) {
    Objects.requireNonNull(texts, "texts is null; Map.of() is none");
    texts.forEach(
        (name, text) -> {
          Objects.requireNonNull(name, "the name of a text is null; leave the text out");
          Objects.requireNonNull(text, () -> "the text '%s' is null; leave it out".formatted(name));
        });
    return changed(next -> next.metadata = Map.copyOf(texts));
  }

  /** Sets the audit of the filter. */
  public Snapshot with(Audit watching) {
    return changed(next -> next.audit = watching);
  }

  /** Sets the state of the clock. */
  public Snapshot with(ClockState time) {
    Objects.requireNonNull(time, "clock is null; ClockState.NONE is none");
    return changed(next -> next.clock = time);
  }

  /**
   * Sets the largest share of new records that the user allows to be lost. The value 1 means no
   * limit.
   */
  public Snapshot withMaxFpr(double rate) {
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException(
          "maxFpr (%s) must be above 0 and at most 1".formatted(rate));
    }
    return changed(next -> next.maxFpr = rate);
  }

  /** Sets the form of the keys as a short text. An empty text means unknown. */
  public Snapshot withKeyForm(String form) {
    Objects.requireNonNull(form, "keyForm is null; the empty text is unknown");
    if (form.length() > MAX_KEY_FORM) {
      throw new IllegalArgumentException(
          "the form of the key (%d characters) must have at most %d"
              .formatted(form.length(), MAX_KEY_FORM));
    }
    return changed(next -> next.keyForm = form);
  }

  /** Sets the time at which the state was saved, in milliseconds since 1970. */
  public Snapshot withSavedAt(long millis) {
    return changed(next -> next.savedAtMillis = millis);
  }

  /**
   * Sets the filters that this filter has replaced, the latest first. They are consulted until
   * nothing that they know can matter.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_PREDECESSORS}
   */
  public Snapshot withPredecessors(List<Snapshot> replaced) {
    if (replaced.size() > MAX_PREDECESSORS) {
      throw new IllegalArgumentException(
          "predecessors (%d) must be at most %d; wait until the oldest of them ends"
              .formatted(replaced.size(), MAX_PREDECESSORS));
    }
    if (replaced.stream().anyMatch(state -> !state.predecessors.isEmpty())) {
      throw new IllegalArgumentException("a predecessor must not have predecessors of its own");
    }
    return changed(next -> next.predecessors = List.copyOf(replaced));
  }

  /** Sets the number of keys that predecessors still knew when they were dropped. */
  public Snapshot withDropped(long keys) {
    return changed(next -> next.dropped = keys);
  }

  /**
   * Returns the number of keys that predecessors still knew when they were dropped, so that
   * duplicates of them are admitted. With a window a predecessor is dropped when it knows none.
   */
  public long dropped() {
    return dropped;
  }

  /** Returns the filters that this filter has replaced and that are still consulted. */
  public List<Snapshot> predecessors() {
    return predecessors;
  }

  /**
   * Marks the filter and the audit as having no storage, so that only their numbers can be read.
   */
  Snapshot withoutStorage() {
    return changed(next -> next.stored = false);
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
    return changed(next -> next.count(taken, let));
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
    ShardedFilter one = sharded.view(sharded.shard(index));
    return part(one, shard -> shard == index, state -> state.shard(index));
  }

  /** Returns the state of some of its shards, which then belong to that state only. */
  Snapshot keeping(IntPredicate kept) {
    ShardedFilter all = (ShardedFilter) filter;
    ShardedFilter some =
        ShardedFilter.of(
            spec(), all.shards().stream().filter(shard -> kept.test(shard.index())).toList());
    return part(some, kept, state -> state.keeping(kept));
  }

  private Snapshot part(
      ShardedFilter some, IntPredicate kept, UnaryOperator<Snapshot> ofPredecessor) {
    boolean first = heldShards().isEmpty() || some.holds(heldShards().get(0));
    List<Snapshot> parts = new ArrayList<>();
    for (Snapshot state : predecessors) {
      if (state.shards() == 1 || !state.spec().hashesLike(spec())) {
        throw new IllegalArgumentException(
            "this filter has replaced one with other shards, so its shards cannot be separated yet;"
                + " wait until the handover has ended");
      }
      if (state.heldShards().stream().anyMatch(kept::test)) {
        parts.add(ofPredecessor.apply(state));
      }
    }
    return over(
            some,
            next -> {
              next.audit = null;
              next.predecessors = List.copyOf(parts);
              next.clock = first ? clock : clock.withoutCounts();
              next.dropped = first ? dropped : 0;
            })
        .counted();
  }

  /**
   * Returns a state with an empty filter of another spec, and this state as its predecessor. Counts
   * and time continue. So does an audit, unless the change makes its keys unrecognizable; then the
   * audit and the counts start again.
   *
   * @param spec the spec of the new filter
   * @param concurrent whether the new filter is in shards; it is, too, if this one is
   * @param wanted the audit of the new filter; empty for the same as before
   * @param millis the present time, in milliseconds since 1970
   * @throws IllegalArgumentException if there are too many predecessors already
   */
  public Snapshot replacedBy(
      FilterSpec spec, boolean concurrent, Optional<AuditSpec> wanted, long millis) {
    Optional<AuditSpec> auditing = wanted.or(() -> audit().map(Audit::spec));
    boolean continues = auditing.isEmpty() || (isAudited(auditing.get()) && isLike(spec));
    List<Snapshot> replaced = new ArrayList<>();
    replaced.add(asPredecessor(millis));
    replaced.addAll(predecessors);
    if (!continues) {
      replaced.replaceAll(state -> state.counted(0, 0));
    }
    Snapshot next =
        over(emptied(spec, concurrent), state -> state.audit = null)
            .withPredecessors(replaced)
            .counted(0, 0)
            .plusCountsOf(replaced.get(0));
    if (auditing.isEmpty()) {
      return next;
    }
    return next.with(
        continues && audit != null ? audit.continuedFor(spec) : new Audit(auditing.get(), spec));
  }

  Snapshot asPredecessor(long millis) {
    return changed(
        next -> {
          next.audit = null;
          next.predecessors = List.of();
          next.savedAtMillis = millis;
        });
  }

  private boolean isAudited(AuditSpec spec) {
    return audit != null && audit.spec().equals(spec);
  }

  /** Returns whether keys have the same hashes in another filter, and times the same unit. */
  private boolean isLike(FilterSpec spec) {
    return spec().hashesLike(spec)
        && spec().window().isTime() == spec.window().isTime()
        && spec().window().isNone() == spec.window().isNone();
  }

  private DuplicateFilter emptied(FilterSpec spec, boolean concurrent) {
    DuplicateFilter empty;
    if (filter instanceof ShardedFilter sharded) {
      empty =
          ShardedFilter.of(spec, sharded.shards().stream().mapToInt(LockedShard::index).toArray());
    } else {
      empty = concurrent ? ShardedFilter.of(spec) : Filters.create(spec);
    }
    if (clock.latest() != ClockState.NEVER) {
      empty.advanceTo(clock.latest());
    }
    return empty;
  }

  /** Sets the counts. The first shard of a filter in shards keeps them. */
  Snapshot counted(long records, long admitted) {
    if (filter instanceof ShardedFilter many) {
      many.shards().forEach(shard -> shard.count(0, 0));
      many.shards().stream().findFirst().ifPresent(shard -> shard.count(records, admitted));
    }
    return changed(next -> next.count(records, admitted));
  }

  /**
   * Adds the counts of another state, shard by shard. The first shard gets those of missing ones.
   */
  Snapshot plusCountsOf(Snapshot other) {
    if (filter instanceof ShardedFilter many
        && other.filter instanceof ShardedFilter more
        && !many.shards().isEmpty()) {
      for (LockedShard plus : more.shards()) {
        LockedShard shard =
            many.holds(plus.index()) ? many.shard(plus.index()) : many.shards().get(0);
        shard.count(
            Counts.sum(shard.records(), plus.records()),
            Counts.sum(shard.admitted(), plus.admitted()));
      }
      return counted();
    }
    return counted(Counts.sum(records, other.records), Counts.sum(admitted, other.admitted));
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

  /**
   * Merges the second state into the first as {@link #merge} does, although the filters have
   * different sizes or other options: the second becomes a {@linkplain #predecessors predecessor}
   * of the first.
   *
   * @throws IllegalArgumentException if the keys, their hashes or the source of times differ, or if
   *     there are too many predecessors
   */
  public static Snapshot mergeDifferent(Snapshot into, Snapshot from) {
    return SnapshotMerge.adopt(into, from);
  }

  /**
   * Returns the predecessors of two states that are about to be merged: those of both, with counts
   * that fit the sum of the two states' counts.
   */
  public static List<Snapshot> mergePredecessors(Snapshot into, Snapshot from) {
    return SnapshotMerge.predecessors(into, from);
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
