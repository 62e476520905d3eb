package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.filter.Window;
import dev.unseen.filter.Windowed;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.plan.ErrorLimits;
import dev.unseen.plan.Plan;
import dev.unseen.plan.Planner;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
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
 * <p>One thread at a time, unless it was built with {@link Builder#concurrent}.
 *
 * @param <T> the records
 */
public final class Deduplicator<T> {
  private final Key<? super T> key;
  private final Hash64 hash;
  private final DuplicateFilter filter;
  private final ShardedFilter sharded; // the same, if it is for many threads; else null
  private final ToLongFunction<? super T> time; // null: the filter does not go by time
  private final Audit audit; // null: none
  private final SaturationAlarm alarm;
  private final Map<String, String> metadata;
  private long records;
  private long admitted;

  private Deduplicator(
      Key<? super T> key,
      Snapshot state,
      ToLongFunction<? super T> time,
      Consumer<? super Report> onSaturation) {
    this.key = key;
    this.filter = state.filter();
    this.sharded = filter instanceof ShardedFilter many ? many : null;
    this.time = filter.spec().window().isTime() ? time : null;
    this.hash = filter.spec().keyHash();
    this.audit = state.audit().orElse(null);
    this.alarm = new SaturationAlarm(state.maxFpr(), onSaturation);
    this.metadata = state.metadata();
    this.records = state.records();
    this.admitted = state.admitted();
  }

  /** Starts to build one for records with such a key. */
  public static <T> Builder<T> builder(Key<T> key) {
    return new Builder<>(key);
  }

  /**
   * Goes on from a saved state, as if it had never stopped; {@link Builder#load} is the same with
   * options.
   *
   * @throws SnapshotException if the file is damaged, or no state
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
    return admitHash(hashed, time == null ? 0 : time.applyAsLong(record));
  }

  /**
   * Asks about a record without taking it in; {@link Ticket#commit} takes it in once it has been
   * delivered: at least once.
   */
  public Ticket probe(T record) {
    long hashed = key.hash(record, hash);
    long millis = time == null ? 0 : time.applyAsLong(record);
    if (time != null) {
      filter.advanceTo(millis);
    }
    return new Ticket(!filter.mightContain(hashed), () -> admitHash(hashed, millis));
  }

  private boolean admitHash(long hashed, long millis) {
    if (sharded != null) {
      return admitSharded(hashed, millis);
    }
    if (time != null) {
      filter.advanceTo(millis);
    }
    boolean fresh = filter.admit(hashed);
    records++;
    admitted += fresh ? 1 : 0;
    if (audit != null) {
      audit.advanceTo(millis);
      audit.observe(hashed, fresh);
    }
    if (SaturationAlarm.isDue(records)) {
      alarm.check(this::report);
    }
    return fresh;
  }

  private boolean admitSharded(long hashed, long millis) {
    if (time != null) {
      filter.advanceTo(millis);
    }
    boolean fresh;
    if (audit != null && audit.follows(hashed)) {
      synchronized (audit) { // so that the audit sees a key's answers in the order of the filter
        fresh = filter.admit(hashed);
        audit.advanceTo(millis);
        audit.observe(hashed, fresh);
      }
    } else {
      fresh = filter.admit(hashed);
    }
    if (SaturationAlarm.isDueAt(hashed)) {
      alarm.check(this::report);
    }
    return fresh;
  }

  /**
   * Takes all records in, in their order, and returns those that {@link #admit} would have let
   * through; faster than one by one on filters larger than the processor's caches. A record without
   * a key fails the call before any record is taken in.
   */
  public List<T> admitAll(Collection<? extends T> batch) {
    List<T> all = new ArrayList<>(batch);
    long[] hashes = new long[all.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = key.hash(all.get(i), hash);
    }
    if (time != null || (audit != null && sharded != null)) {
      return all.stream().filter(this::admit).toList();
    }
    long[] fresh = new long[(hashes.length + Long.SIZE - 1) / Long.SIZE];
    List<T> through = new ArrayList<>(filter.admitAll(hashes, 0, hashes.length, fresh));
    boolean due = false;
    for (int i = 0; i < hashes.length; i++) {
      due |= SaturationAlarm.isDueAt(hashes[i]);
      if (((fresh[i / Long.SIZE] >>> i) & 1) != 0) {
        through.add(all.get(i));
      }
    }
    if (sharded == null) {
      records += hashes.length;
      admitted += through.size();
      if (audit != null) {
        audit.observeAll(hashes, 0, hashes.length, fresh);
      }
    }
    if (due) {
      alarm.check(this::report);
    }
    return through;
  }

  /**
   * Whether {@link #admit} would take this record for a duplicate. Changes nothing; with a window
   * of time, it goes by the time of the latest record taken in.
   */
  public boolean mightContain(T record) {
    return filter.mightContain(key.hash(record, hash));
  }

  /** The records taken in so far. */
  public long records() {
    return sharded == null ? records : sharded.records();
  }

  /** The records let through so far. */
  public long admitted() {
    return sharded == null ? admitted : sharded.admitted();
  }

  /** See {@link DuplicateFilter#load}. */
  public double load() {
    return filter.load();
  }

  /** See {@link DuplicateFilter#estimatedFpr}. */
  public double estimatedFpr() {
    return filter.estimatedFpr();
  }

  /** See {@link DuplicateFilter#memoryBytes}. */
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  /**
   * How much of the window the memory covers, 0 to 1: see {@link Windowed#coverage}. 1 if there is
   * no window.
   */
  public double windowCoverage() {
    if (sharded != null) {
      return sharded.coverage();
    }
    return filter instanceof Windowed windowed ? windowed.coverage() : 1;
  }

  /** How it stands: counts, load, estimated and measured errors. */
  public Report report() {
    long taken = records();
    return new Report(
        spec(),
        taken,
        Math.min(taken, admitted()), // other threads may go on between the two
        load(),
        estimatedFpr(),
        alarm.maxFpr(),
        auditReport(),
        memoryBytes(),
        windowCoverage());
  }

  private Optional<AuditReport> auditReport() {
    if (audit == null) {
      return Optional.empty();
    }
    synchronized (audit) {
      return Optional.of(audit.report());
    }
  }

  /** What the filter was built from. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** The texts that came with the state it was loaded from; empty if it was not. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** Saves the state in a file, in the place of the one before: see {@link StateFile}. */
  public void save(Path file) throws IOException {
    save(file, metadata);
  }

  /** The same with short texts to find again, such as the offsets of the sources. */
  public void save(Path file, Map<String, String> texts) throws IOException {
    try (StateFile state = StateFile.open(file)) {
      state.save(snapshot(texts));
    }
  }

  /** The state to save with these texts, for those who keep a {@link StateFile} open. */
  public Snapshot snapshot(Map<String, String> texts) {
    return new Snapshot(
        filter,
        System.currentTimeMillis(),
        records,
        admitted,
        alarm.maxFpr(),
        texts,
        Optional.ofNullable(audit));
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

  /**
   * Builds a deduplicator; only the memory has to be named.
   *
   * @param <T> the records
   */
  public static final class Builder<T> {
    private static final FilterKind DEFAULT_KIND = FilterKind.RECENCY;

    private final Key<T> key;
    private FilterKind kind; // null: not set
    private long memoryBytes;
    private int hashes;
    private long expectedKeys;
    private StreamModel expected; // null: not set
    private double maxFpr; // 0: not set
    private Window window = Window.NONE;
    private Refresh refresh = Refresh.ADAPTIVE;
    private ToLongFunction<? super T> time = any -> System.currentTimeMillis();
    private long seed;
    private HashKind hash = HashKind.XXH3;
    private AuditSpec audit; // null: none
    private Consumer<? super Report> onSaturation = report -> {};
    private boolean concurrent;

    private Builder(Key<T> key) {
      this.key = Objects.requireNonNull(key, "key is null; see Keys for the usual ones");
    }

    /** The bytes that the filter may take, a hard cap: {@code memory(MiB(256))}. */
    public Builder<T> memory(long bytes) {
      this.memoryBytes = bytes;
      return this;
    }

    /**
     * The largest share of new records that may be lost, 1e-9 to 1e-2; 1e-4 unless set. {@link
     * FilterKind#RECENCY} keeps it whatever comes; of the others, {@link #expecting} chooses one
     * that does.
     */
    public Builder<T> maxFalsePositiveRate(double rate) {
      if (!(rate > 0 && rate < 1)) {
        throw new IllegalArgumentException(
            "maxFalsePositiveRate (%s) must be above 0 and below 1".formatted(rate));
      }
      this.maxFpr = rate;
      return this;
    }

    /** How long a key counts as seen; for as long as memory holds it unless set. */
    public Builder<T> window(Window window) {
      this.window = Objects.requireNonNull(window, "window is null; Window.NONE is none");
      return this;
    }

    /**
     * The time of a record in milliseconds, for a window of time; the time at which it is taken in
     * unless set. A record that is late counts as seen at the latest time so far.
     */
    public Builder<T> eventTime(ToLongFunction<? super T> millis) {
      this.time = Objects.requireNonNull(millis, "millis is null");
      return this;
    }

    /** What a duplicate does to its key; adaptive unless set. */
    public Builder<T> refresh(Refresh refresh) {
      this.refresh = Objects.requireNonNull(refresh, "refresh is null; name one of Refresh");
      return this;
    }

    /** The kind of filter; {@link FilterKind#RECENCY} unless set or planned. */
    public Builder<T> kind(FilterKind kind) {
      this.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
      return this;
    }

    /** The positions per key, k; the kind's usual number unless set. */
    public Builder<T> hashes(int k) {
      if (k < 1) {
        throw new IllegalArgumentException(
            "hashes (%d) must be 1 to %d for %s"
                .formatted(k, kindOrDefault().maxHashes(), kindOrDefault().id()));
      }
      this.hashes = k;
      return this;
    }

    /** The distinct keys to come, from which {@link FilterKind#BLOOM} chooses its k. */
    public Builder<T> expectedKeys(long keys) {
      if (keys < 1) {
        throw new IllegalArgumentException("expectedKeys (%d) must be at least 1".formatted(keys));
      }
      this.expectedKeys = keys;
      return this;
    }

    /**
     * The records to come, and the share of them that is the first of its key: the {@link Planner}
     * then chooses the kind, and k, that get the fewest records wrong. If a kind is set, it chooses
     * the k only.
     *
     * <pre>{@code
     * Deduplicator<Click> dedup =
     *     Deduplicator.builder(Keys.utf8(Click::id))
     *         .memory(MiB(512))
     *         .expecting(1_000_000_000, 0.6)
     *         .build(); // a plain Bloom filter: the keys fit
     * }</pre>
     */
    public Builder<T> expecting(long records, double distinctShare) {
      if (records < 1) {
        throw new IllegalArgumentException("records (%d) must be at least 1".formatted(records));
      }
      if (!(distinctShare > 0 && distinctShare <= 1)) {
        throw new IllegalArgumentException(
            "distinctShare (%s) must be above 0 and at most 1".formatted(distinctShare));
      }
      this.expected = StreamModel.shuffled((double) records, Math.max(1, records * distinctShare));
      return this;
    }

    /** The seed of all that is random; 0 unless set. Same seed, same records: same answers. */
    public Builder<T> seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * How keys are hashed; {@link HashKind#XXH3} unless set. {@link HashKind#SIPHASH}, with a seed
     * that is random and secret, if strangers can choose keys.
     */
    public Builder<T> hash(HashKind hash) {
      this.hash = Objects.requireNonNull(hash, "hash is null; name one of HashKind");
      return this;
    }

    /** Measures errors on the stream itself: {@code audit(oneIn(1024))}. See {@link Audit}. */
    public Builder<T> audit(AuditSpec audit) {
      this.audit = Objects.requireNonNull(audit, "audit is null; leave it out for none");
      return this;
    }

    /**
     * What to do when more new records are lost than {@link #maxFalsePositiveRate} allows: when the
     * estimate passes it, or when the whole interval that an {@link #audit} has measured is above
     * it. Called once each time that it begins, by the thread that notices.
     */
    public Builder<T> onSaturation(Consumer<? super Report> action) {
      this.onSaturation = Objects.requireNonNull(action, "action is null");
      return this;
    }

    /**
     * For any number of threads: the filter becomes a {@link ShardedFilter}. Not for windows of
     * records.
     */
    public Builder<T> concurrent() {
      this.concurrent = true;
      return this;
    }

    /**
     * Goes on from a saved state, as if it had never stopped. What was set here about the filter
     * must be as it was when it was saved, or not be set at all.
     *
     * @throws SnapshotException if the file is damaged, or no state
     */
    public Deduplicator<T> load(Path file) throws IOException {
      return restore(StateFile.read(file));
    }

    /** The same with a state that is loaded already. */
    public Deduplicator<T> restore(Snapshot state) {
      if (memoryBytes != 0 && !spec().equals(state.spec())) {
        throw new IllegalArgumentException(
            "the saved filter is %s, and another one is asked for: %s; ask for the same one, leave memory(...) out to take what was saved, or start anew"
                .formatted(state.spec().describe(), spec().describe()));
      }
      if (concurrent && state.shards() == 1) {
        throw new IllegalArgumentException(
            "the saved filter is for one thread, so concurrent() cannot be had; start anew, or leave it out");
      }
      if (audit != null && state.audit().isEmpty()) {
        throw new IllegalArgumentException(
            "the state was saved without an audit, which has to see all records from the first one on; start anew, or leave audit(...) out");
      }
      return new Deduplicator<>(key, state, time, onSaturation);
    }

    /** Makes it, and allocates its memory. */
    public Deduplicator<T> build() {
      if (memoryBytes == 0) {
        throw new IllegalArgumentException(
            "memory is not set; name the bytes the filter may take, such as memory(MiB(64))");
      }
      return build(spec());
    }

    private FilterSpec spec() {
      if (expected != null) {
        return planned();
      }
      FilterSpec.Builder spec =
          FilterSpec.builder(kindOrDefault(), memoryBytes)
              .seed(seed)
              .hash(hash)
              .window(window)
              .refresh(refresh);
      if (maxFpr > 0) {
        spec.maxFpr(maxFpr);
      }
      if (expectedKeys > 0) {
        spec.expectedKeys(expectedKeys);
      }
      if (hashes > 0) {
        spec.hashes(hashes);
      }
      return spec.build();
    }

    private FilterSpec planned() {
      if (hashes > 0 || expectedKeys > 0) {
        throw new IllegalArgumentException(
            "expecting(...) chooses k, and so does %s; leave one of them out"
                .formatted(hashes > 0 ? "hashes(" + hashes + ")" : "expectedKeys(...)"));
      }
      if (!window.isNone() || refresh != Refresh.ADAPTIVE) {
        throw new IllegalArgumentException(
            "expecting(...) chooses the kind, and window(...) and refresh(...) are of recency only;"
                + " leave one of them out");
      }
      Planner planner = Planner.of(expected).seed(seed);
      if (maxFpr > 0) {
        planner = planner.limits(new ErrorLimits(maxFpr, 1));
      }
      Plan plan = (kind == null ? planner : planner.only(kind)).plan(memoryBytes);
      if (plan.refusal().isPresent()) {
        throw new IllegalArgumentException(plan.refusal().get());
      }
      return plan.recommendation().option().spec().withHash(hash);
    }

    private FilterKind kindOrDefault() {
      return kind == null ? DEFAULT_KIND : kind;
    }

    /** Makes one with exactly this filter, whatever else was set about it. */
    public Deduplicator<T> build(FilterSpec spec) {
      DuplicateFilter filter = concurrent ? ShardedFilter.of(spec) : spec.build();
      Snapshot empty = Snapshot.of(filter, 0, 0).withMaxFpr(maxFpr > 0 ? maxFpr : spec.maxFpr());
      Snapshot state = audit == null ? empty : empty.with(new Audit(audit, spec));
      return new Deduplicator<>(key, state, time, onSaturation);
    }
  }
}
