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
  private final @Nullable Audit audit; // null: no audit
  private final Head head;
  private final List<Snapshot> predecessors; // the latest first
  private final boolean stored; // whether the filter contains its storage

  private Snapshot(
      DuplicateFilter filter,
      @Nullable Audit audit,
      Head head,
      List<Snapshot> predecessors,
      boolean stored) {
    if (!(filter instanceof ShardedFilter) && !(filter instanceof Stateful)) {
      throw new IllegalArgumentException(
          "filter (%s) must be created by Filters.create or ShardedFilter.of"
              .formatted(filter.getClass().getName()));
    }
    this.filter = filter;
    this.audit = audit;
    this.head = head;
    this.predecessors = List.copyOf(predecessors);
    this.stored = stored;
  }

  /** What a state contains in addition to its filter, audit and predecessors. */
  private record Head(
      long savedAtMillis,
      long records,
      long admitted,
      double maxFpr,
      Map<String, String> metadata,
      String keyForm,
      ClockState clock,
      long dropped) {
    /** Rejects values that cannot be saved. */
    Head {
      if (!(maxFpr > 0 && maxFpr <= 1)) {
        throw new IllegalArgumentException(
            "maxFpr (%s) must be above 0 and at most 1".formatted(maxFpr));
      }
      if (records < 0 || admitted < 0 || admitted > records) {
        throw new IllegalArgumentException(
            "admitted (%d) must be 0 to the records (%d)".formatted(admitted, records));
      }
      Objects.requireNonNull(metadata, "texts is null; Map.of() is none");
      metadata.forEach(Head::requireText);
      metadata = Map.copyOf(metadata);
      Objects.requireNonNull(keyForm, "keyForm is null; the empty text is unknown");
      if (keyForm.length() > MAX_KEY_FORM) {
        throw new IllegalArgumentException(
            "the form of the key (%d characters) must have at most %d"
                .formatted(keyForm.length(), MAX_KEY_FORM));
      }
      Objects.requireNonNull(clock, "clock is null; ClockState.NONE is none");
    }

    private static void requireText(String name, String text) {
      Objects.requireNonNull(name, "the name of a text is null; leave the text out");
      Objects.requireNonNull(text, () -> "the text '%s' is null; leave it out".formatted(name));
    }

    Head counts(long taken, long let) {
      return new Head(savedAtMillis, taken, let, maxFpr, metadata, keyForm, clock, dropped);
    }

    Head withMetadata(Map<String, String> value) {
      return new Head(savedAtMillis, records, admitted, maxFpr, value, keyForm, clock, dropped);
    }

    Head withClock(ClockState value) {
      return new Head(savedAtMillis, records, admitted, maxFpr, metadata, keyForm, value, dropped);
    }

    Head withMaxFpr(double value) {
      return new Head(savedAtMillis, records, admitted, value, metadata, keyForm, clock, dropped);
    }

    Head withKeyForm(String value) {
      return new Head(savedAtMillis, records, admitted, maxFpr, metadata, value, clock, dropped);
    }

    Head withSavedAtMillis(long value) {
      return new Head(value, records, admitted, maxFpr, metadata, keyForm, clock, dropped);
    }

    Head withDropped(long value) {
      return new Head(savedAtMillis, records, admitted, maxFpr, metadata, keyForm, clock, value);
    }
  }

  /**
   * Returns a snapshot of a filter with these counts. A filter in shards has its own counts, which
   * are read when the snapshot is written.
   *
   * @param filter a filter that {@link Filters#create} or {@link ShardedFilter#of} created
   */
  public static Snapshot of(DuplicateFilter filter, long records, long admitted) {
    Head head =
        new Head(
            System.currentTimeMillis(),
            records,
            admitted,
            filter.spec().maxFpr(),
            Map.of(),
            "",
            ClockState.NONE,
            0);
    return new Snapshot(filter, null, head, List.of(), true);
  }

  private Snapshot with(Head other) {
    return new Snapshot(filter, audit, other, predecessors, stored);
  }

  /** Sets short texts of the user, such as the offsets of the sources. */
  public Snapshot with(Map<String, String> texts) {
    return with(head.withMetadata(texts));
  }

  /** Sets the audit of the filter. */
  public Snapshot with(Audit watching) {
    return new Snapshot(filter, watching, head, predecessors, stored);
  }

  /** Sets the state of the clock. */
  public Snapshot with(ClockState time) {
    return with(head.withClock(time));
  }

  /** Sets the largest share of new records that may be lost; 1 for no limit. */
  public Snapshot withMaxFpr(double rate) {
    return with(head.withMaxFpr(rate));
  }

  /** Sets the form of the keys as a short text. An empty text means unknown. */
  public Snapshot withKeyForm(String form) {
    return with(head.withKeyForm(form));
  }

  /** Sets the time at which the state was saved, in milliseconds since 1970. */
  public Snapshot withSavedAt(long millis) {
    return with(head.withSavedAtMillis(millis));
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
    return new Snapshot(filter, audit, head, replaced, stored);
  }

  /** Sets the number of keys that predecessors still knew when they were dropped. */
  public Snapshot withDropped(long keys) {
    return with(head.withDropped(keys));
  }

  /** Returns how many keys predecessors still knew when they were dropped; none with a window. */
  public long dropped() {
    return head.dropped;
  }

  /** Returns the filters that this filter has replaced and that are still consulted. */
  public List<Snapshot> predecessors() {
    return predecessors;
  }

  /**
   * Marks the filter and the audit as having no storage, so that only their numbers can be read.
   */
  Snapshot withoutStorage() {
    return new Snapshot(filter, audit, head, predecessors, false);
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
    return with(head.counts(taken, let));
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
    return head.savedAtMillis;
  }

  /** Returns the number of records that the filter has processed. */
  public long records() {
    return head.records;
  }

  /** Returns the number of records that the filter has let through. */
  public long admitted() {
    return head.admitted;
  }

  /** Returns the largest share of new records that may be lost; 1 for no limit. */
  public double maxFpr() {
    return head.maxFpr;
  }

  /** Returns the texts of the user. */
  public Map<String, String> metadata() {
    return head.metadata;
  }

  /** Returns the form of the keys as a short text. An empty text means unknown. */
  public String keyForm() {
    return head.keyForm;
  }

  /** Returns the state of the clock. */
  public ClockState clock() {
    return head.clock;
  }

  /** Returns the number of filters that share the memory: 1, or {@link ShardedFilter#SHARDS}. */
  public int shards() {
    return filter instanceof ShardedFilter ? ShardedFilter.SHARDS : 1;
  }

  /** Returns the numbers of the shards that the filter holds; none if it is not in shards. */
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
    return new Snapshot(some, null, head, parts, stored)
        .with(first ? head.clock : head.clock.withoutCounts())
        .withDropped(first ? head.dropped : 0)
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
        new Snapshot(emptied(spec, concurrent), null, head, List.of(), true)
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
    return new Snapshot(filter, null, head, List.of(), stored).withSavedAt(millis);
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
    if (head.clock.latest() != ClockState.NEVER) {
      empty.advanceTo(head.clock.latest());
    }
    return empty;
  }

  /** Sets the counts. The first shard of a filter in shards keeps them. */
  Snapshot counted(long records, long admitted) {
    if (filter instanceof ShardedFilter many) {
      many.shards().forEach(shard -> shard.count(0, 0));
      many.shards().stream().findFirst().ifPresent(shard -> shard.count(records, admitted));
    }
    return with(head.counts(records, admitted));
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
    return counted(
        Counts.sum(head.records, other.head.records),
        Counts.sum(head.admitted, other.head.admitted));
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

  /** Returns the predecessors of two states that are to be merged, with counts that fit the sum. */
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
