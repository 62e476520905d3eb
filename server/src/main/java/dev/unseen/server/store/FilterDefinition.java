package dev.unseen.server.store;

import dev.unseen.Alarm;
import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.KeyForm;
import dev.unseen.Report;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a client has asked for when a filter was created. It is saved with the filter.
 *
 * @param errorRate the share of new items that may be mistaken for known ones
 * @param capacity the number of items that are held without evictions
 * @param nonScaling whether the filter never evicts items, and rejects them when it is full
 * @param memory the bytes of the filter; 0 if they follow from the capacity
 * @param window how long an item counts as seen, and by how much the time of one may be late
 * @param kind the kind of filter
 * @param setMillis the expiry in milliseconds of the keys of SET that it holds; 0 if it holds none
 * @param itemMillis the expiry in milliseconds of each item, counted from when it was added; 0 if
 *     items have none
 * @param changes how often the definition has changed since the filter was created
 */
public record FilterDefinition(
    double errorRate,
    long capacity,
    boolean nonScaling,
    long memory,
    Window window,
    FilterKind kind,
    long setMillis,
    long itemMillis,
    int changes) {
  /**
   * A filter of at least this size is in shards, so that threads need not wait for each other, nor
   * for a save. A smaller one is locked while it is copied to be saved; its shards would take 8 %
   * of its memory or more.
   */
  private static final long SHARDED_BYTES = 4 << 20;

  private static final long MAX_CAPACITY = 1L << 45; // the most keys that a filter is sized for

  /** An audit takes one part in this number of a filter's memory. */
  private static final long AUDIT_PART = 128;

  /** A filter gets no audit if even the least one would take a larger part of its memory. */
  private static final long MOST_AUDIT_PART = 32;

  private static final int AUDITED_ONE_IN = 1024;
  private static final int AUDITED_ONE_IN_OF_SMALL = 16;
  private static final long SHARD_OBJECTS = 2_700; // of each shard
  private static final long OBJECTS = 3_300; // of a filter without shards
  private static final String TEXT = "server.definition";

  /** Returns the definition of the filter for keys of SET that expire after this time. */
  static FilterDefinition forSet(long millis, long memory) {
    return new FilterDefinition(
        FilterSpec.DEFAULT_MAX_FPR,
        0,
        false,
        memory,
        windowFor(millis),
        FilterKind.RECENCY,
        millis,
        0,
        0);
  }

  /** Returns a changed definition of the same filter. */
  public FilterDefinition changedTo(
      double otherRate, long otherCapacity, long otherMemory, Window otherWindow) {
    return new FilterDefinition(
        otherRate,
        otherCapacity,
        nonScaling,
        otherMemory,
        otherWindow,
        kind,
        setMillis,
        itemMillis,
        changes + 1);
  }

  /**
   * Returns the window that holds an item for at least this time. An item may be forgotten one step
   * of the window too early, so it is a step longer.
   */
  public static Window windowFor(long millis) {
    long steps = Window.STEPS;
    return Window.time(Duration.ofMillis((millis * steps + steps - 2) / (steps - 1)));
  }

  /**
   * Returns whether the filter never forgets an item. Such a filter keeps its secret: the items
   * that are hashed with it would have to be consulted permanently.
   */
  boolean isPermanent() {
    return kind == FilterKind.BLOOM;
  }

  public FilterSpec spec(Secret secret) {
    return options(secret).spec();
  }

  private GateBuilder options(Secret secret) {
    GateBuilder gate = plain(secret);
    if (isSharded(gate.spec())) {
      gate.concurrent();
    }
    audit(gate.spec()).ifPresent(gate::audit);
    return gate;
  }

  private GateBuilder plain(Secret secret) {
    GateBuilder gate = Gate.builder().secret(secret).kind(kind).keyForm(new KeyForm("bytes", ""));
    boolean recency = kind == FilterKind.RECENCY;
    gate.maxFalsePositiveRate(recency ? Math.min(errorRate, FilterSpec.MAX_MAX_FPR) : errorRate);
    if (!window.isNone()) {
      gate.window(window);
    }
    if (window.lateness() > 0) {
      gate.eventTime(); // items may have event times
    }
    if (setMillis > 0 || itemMillis > 0) {
      gate.refresh(Refresh.NEVER); // as in Redis, a second SET does not renew a key
    }
    if (memory > 0) {
      gate.memory(memory);
    }
    if (memory == 0 && capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity (%d) must be at most %d".formatted(capacity, MAX_CAPACITY));
    }
    if (capacity > 0 && (memory == 0 || kind == FilterKind.BLOOM)) {
      gate.expectedKeys(capacity);
    }
    return gate;
  }

  private static boolean isSharded(FilterSpec spec) {
    return spec.memoryBytes() >= SHARDED_BYTES;
  }

  /** Returns the audit of a filter, which is small compared with it; empty for small filters. */
  private static Optional<AuditSpec> audit(FilterSpec spec) {
    long memory = spec.memoryBytes();
    if (memory < MOST_AUDIT_PART * AuditSpec.MIN_MEMORY_BYTES) {
      return Optional.empty();
    }
    long bytes =
        Math.max(
            AuditSpec.MIN_MEMORY_BYTES,
            Math.min(AuditSpec.DEFAULT_MEMORY_BYTES, memory / AUDIT_PART));
    int oneIn = isSharded(spec) ? AUDITED_ONE_IN : AUDITED_ONE_IN_OF_SMALL;
    return Optional.of(AuditSpec.oneIn(oneIn).memory(bytes));
  }

  /**
   * Returns the number of items that fit into the memory: if that many keys are alive at a time, at
   * most one in 20,000 is evicted early. It is 0 if that is not known for the kind.
   */
  public long keysThatFit(Report report) {
    if (capacity > 0 || kind != FilterKind.BLOOM) {
      return capacity > 0 ? capacity : report.keysThatFit().orElse(0);
    }
    long million = 1_000_000;
    long bytes = Capacity.memoryFor(kind, million, errorRate, window, 1);
    return (long) ((double) memory * million / bytes);
  }

  /** Returns the memory that the filter will use, with all that is around it. */
  public long cost(Secret secret) {
    FilterSpec spec = spec(secret);
    int shards = isSharded(spec) ? ShardedFilter.SHARDS : 0;
    return cost(spec, shards, audit(spec));
  }

  /**
   * Returns the memory that a filter uses, with all that is around it. It is the same after a
   * restart as when the filter was created, so that what fits into the memory once can be loaded
   * again.
   */
  static long cost(Gate gate) {
    Snapshot state = gate.snapshot(Map.of());
    long cost = cost(gate.spec(), gate.shards().size(), state.audit().map(Audit::spec));
    for (Snapshot former : state.predecessors()) {
      cost += cost(former.spec(), former.heldShards().size(), Optional.empty()) - Traffic.BYTES;
    }
    return cost;
  }

  private static long cost(FilterSpec spec, int shards, Optional<AuditSpec> audit) {
    long objects = shards == 0 ? OBJECTS : shards * SHARD_OBJECTS;
    return spec.memoryBytes()
        + audit.map(AuditSpec::memoryBytes).orElse(0L)
        + objects
        + Traffic.BYTES;
  }

  /** Creates the filter, empty. */
  public Gate build(
      Secret secret, Consumer<? super Alarm> onAlarm, InstantSource clock, int reservations) {
    return atRuntime(options(secret), onAlarm, clock, reservations).build();
  }

  /**
   * Returns the state of an empty filter with this definition that takes over from another.
   *
   * @param secret the secret to hash items with; empty for what hashes them now
   */
  Snapshot takeOver(Gate gate, Optional<Secret> secret, long millis) {
    FilterSpec before = gate.spec();
    FilterSpec unhashed = plain(Secret.random()).spec().withHash(before.hash(), before.seed());
    FilterSpec spec = secret.or(before::secret).map(unhashed::withSecret).orElse(unhashed);
    return gate.snapshot(gate.metadata())
        .replacedBy(spec, isSharded(spec), Optional.empty(), millis)
        .withMaxFpr(spec.maxFpr());
  }

  /** Creates a filter that continues from a state. */
  static Gate restore(
      Snapshot state, Consumer<? super Alarm> onAlarm, InstantSource clock, int reservations) {
    GateBuilder gate = atRuntime(Gate.builder(), onAlarm, clock, reservations);
    return (state.spec().window().lateness() > 0 ? gate.eventTime() : gate).restore(state);
  }

  private static GateBuilder atRuntime(
      GateBuilder gate, Consumer<? super Alarm> onAlarm, InstantSource clock, int reservations) {
    return gate.onAlarm(onAlarm)
        .clock(clock)
        .maxReservations(reservations)
        .reservationTimeout(ReservationTokens.GATE_TIMEOUT);
  }

  /** Returns the texts that a saved filter carries. */
  public Map<String, String> texts(long id, String name, long expiresAt) {
    return Map.of(
        TEXT,
        text(),
        "server.id",
        Long.toString(id),
        "server.name",
        name,
        "server.expires",
        Long.toString(expiresAt));
  }

  /** Returns the definition as one line. */
  public String text() {
    return "error=%s capacity=%d nonscaling=%s memory=%d window=%d kind=%s set=%d lateness=%d expiry=%d changes=%d"
        .formatted(
            errorRate,
            capacity,
            nonScaling,
            memory,
            window.isNone() ? 0 : window.length(),
            kind.id(),
            setMillis,
            window.lateness(),
            itemMillis,
            changes);
  }

  /** Returns the definition that a saved filter carries, or one that describes its filter. */
  public static FilterDefinition of(Map<String, String> texts, FilterSpec spec) {
    String text = texts.get(TEXT);
    return text != null
        ? parse(text)
        : new FilterDefinition(
            Math.min(spec.maxFpr(), 0.5),
            0,
            false,
            spec.memoryBytes(),
            spec.window(),
            spec.kind(),
            0,
            0,
            0);
  }

  /**
   * Parses what {@link #text} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static FilterDefinition parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String part : text.split(" ", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "'%s' is not the definition of a filter".formatted(text));
      }
      values.put(part.substring(0, equals), part.substring(equals + 1));
    }
    long window = Long.parseLong(values.getOrDefault("window", "0"));
    long lateness = Long.parseLong(values.getOrDefault("lateness", "0"));
    return new FilterDefinition(
        Double.parseDouble(values.getOrDefault("error", "")),
        Long.parseLong(values.getOrDefault("capacity", "")),
        Boolean.parseBoolean(values.get("nonscaling")),
        Long.parseLong(values.getOrDefault("memory", "")),
        window == 0 ? Window.NONE : new Window(window, Window.Unit.MILLISECONDS, lateness),
        FilterKind.of(values.getOrDefault("kind", "")),
        Long.parseLong(values.getOrDefault("set", "0")),
        Long.parseLong(values.getOrDefault("expiry", "0")),
        Integer.parseInt(values.getOrDefault("changes", "0")));
  }
}
