package dev.unseen.snapshot;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditReport;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Shard;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.state.Stateful;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * All that goes on after a restart: a filter, its counts, and what its user wants to know then. It
 * refers to the living filter and copies nothing. The methods that begin with {@code with} return a
 * changed snapshot and leave this one as it is.
 */
public final class Snapshot {
  /** The most characters that tell what the keys are. */
  public static final int MAX_KEY_FORM = 4000;

  private final DuplicateFilter filter;
  private final Audit audit; // null: none
  private final long savedAtMillis;
  private final long records;
  private final long admitted;
  private final double maxFpr;
  private final Map<String, String> metadata;
  private final String keyForm;
  private final ClockState clock;
  private final boolean stored; // whether the filter has its words

  /** Refuses what cannot be saved. */
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
          "filter (%s) must be one that a FilterSpec or ShardedFilter made"
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

  /**
   * Takes a filter and its counts, now. A filter in shards has counts of its own, which are taken
   * when the snapshot is written.
   *
   * @param filter as {@link FilterSpec#build} or {@link ShardedFilter#of} made it
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
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, texts, keyForm, clock, stored);
  }

  /** Sets what watches the filter. */
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

  /** Sets what is known of time. */
  public Snapshot with(ClockState time) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, keyForm, time, stored);
  }

  /** Sets the largest share of new records that its user allows to be lost; 1 allows any. */
  public Snapshot withMaxFpr(double rate) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, rate, metadata, keyForm, clock, stored);
  }

  /** Sets what the keys are, in a short text; the empty one is unknown. */
  public Snapshot withKeyForm(String form) {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, form, clock, stored);
  }

  /** Sets when it was saved, in milliseconds since 1970. */
  public Snapshot withSavedAt(long millis) {
    return new Snapshot(
        filter, audit, millis, records, admitted, maxFpr, metadata, keyForm, clock, stored);
  }

  /** Tells that the filter and the audit have no words: only their numbers can be asked for. */
  Snapshot withoutStorage() {
    return new Snapshot(
        filter, audit, savedAtMillis, records, admitted, maxFpr, metadata, keyForm, clock, false);
  }

  /**
   * Refuses a state that was only looked at, by {@link StateFile#check}.
   *
   * @throws IllegalStateException if its filter holds no keys
   */
  public void requireStorage() {
    if (!stored) {
      throw new IllegalStateException(
          "this state was checked and not loaded, so its filter holds no keys; load it with StateFile.read");
    }
  }

  /** Takes the counts of a filter in shards as they are now. */
  Snapshot counted() {
    if (filter instanceof ShardedFilter sharded) {
      return new Snapshot(
          filter,
          audit,
          savedAtMillis,
          sharded.records(),
          sharded.admitted(),
          maxFpr,
          metadata,
          keyForm,
          clock,
          stored);
    }
    return this;
  }

  /** Returns the filter itself. */
  public DuplicateFilter filter() {
    return filter;
  }

  /** Returns what the filter was built from. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns what watches the filter, if anything does. */
  public Optional<Audit> audit() {
    return Optional.ofNullable(audit);
  }

  /** Returns what the audit has measured, if there is one. */
  public Optional<AuditReport> auditReport() {
    return audit().map(watching -> watching.report(records, admitted));
  }

  /** Returns when it was saved, in milliseconds since 1970. */
  public long savedAtMillis() {
    return savedAtMillis;
  }

  /** Returns how many records the filter has taken in. */
  public long records() {
    return records;
  }

  /** Returns how many records it has let through. */
  public long admitted() {
    return admitted;
  }

  /** Returns the largest share of new records that its user allows to be lost; 1 allows any. */
  public double maxFpr() {
    return maxFpr;
  }

  /** Returns the texts of its user. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** Returns what the keys are, in a short text; the empty one is unknown. */
  public String keyForm() {
    return keyForm;
  }

  /** Returns what is known of time. */
  public ClockState clock() {
    return clock;
  }

  /** Returns into how many filters the memory is divided: 1, or {@link ShardedFilter#SHARDS}. */
  public int shards() {
    return filter instanceof ShardedFilter ? ShardedFilter.SHARDS : 1;
  }

  /** Returns the shards that it holds; none if the filter is not in shards. */
  public List<Shard> heldShards() {
    return filter instanceof ShardedFilter sharded ? sharded.shards() : List.of();
  }

  /**
   * Returns the state of one of the shards that it holds, as a state of its own. What was counted
   * for all shards together goes with the first of them, so that all of them joined again count it
   * once.
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
    return part(
        ShardedFilter.of(
            spec(), heldShards().stream().filter(shard -> kept.test(shard.index())).toList()));
  }

  private Snapshot part(ShardedFilter some) {
    boolean first = heldShards().isEmpty() || some.holds(heldShards().get(0).index());
    return new Snapshot(
        some,
        null,
        savedAtMillis,
        some.records(),
        some.admitted(),
        maxFpr,
        metadata,
        keyForm,
        first ? clock : clock.withoutCounts(),
        stored);
  }

  /** Returns everything with a state, in the order of the file. */
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
