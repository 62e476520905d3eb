package dev.unseen.server.store;

import dev.unseen.Gate;
import dev.unseen.Report;
import dev.unseen.Reservation;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/** A filter with its name and definition. Safe for use by many threads. */
public final class ServedFilter implements Item.Target {
  /** The expiry of a filter that does not expire as a whole. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long[] ONE = {1}; // the answers of a batch of one item, which is new

  private final long id;
  private final String name;
  private final InstantSource clock;
  private final ReentrantReadWriteLock locks = new ReentrantReadWriteLock();
  private final ReservationTokens held;
  private volatile Serving now; // written under the exclusive lock
  private volatile long expiresAt = NEVER;
  private volatile boolean changed; // since it was saved
  private volatile long admittedAt; // the last time, to the second

  /**
   * What changes when the filter is resized or hashes with another secret.
   *
   * @param hash the hash function for items
   * @param cost the memory that it counts for
   * @param isConcurrent whether threads can use the gate in parallel
   * @param takesOver whether filters that it has replaced are consulted, too
   */
  private record Serving(
      FilterDefinition definition,
      Gate gate,
      Hash64 hash,
      long cost,
      boolean isConcurrent,
      boolean takesOver) {
    static Serving of(FilterDefinition definition, Gate gate) {
      // A NONSCALING filter counts its items under a lock, though its gate needs none.
      boolean isConcurrent = !gate.shards().isEmpty() && !definition.nonScaling();
      boolean takesOver = !gate.snapshot(Map.of()).predecessors().isEmpty();
      long cost = FilterDefinition.cost(gate);
      return new Serving(definition, gate, gate.hash(), cost, isConcurrent, takesOver);
    }

    boolean isWindowed() {
      return !gate.spec().window().isNone();
    }

    /**
     * Returns whether duplicates belong into the journal: without a window, the filter keeps those
     * that a replaced filter knows, which may be dropped before a save.
     */
    boolean recordsDuplicates() {
      return takesOver && !isWindowed();
    }
  }

  /**
   * Creates a filter.
   *
   * @param id differs from that of any other filter, also of one that had the same name before
   * @param held the items that clients have reserved
   */
  public ServedFilter(
      long id,
      String name,
      FilterDefinition definition,
      Gate gate,
      InstantSource clock,
      ReservationTokens held) {
    this.clock = clock;
    this.id = id;
    this.name = name;
    this.now = Serving.of(definition, gate);
    this.held = held;
    this.changed = true;
    this.admittedAt = clock.millis();
  }

  public long id() {
    return id;
  }

  /** Returns the name, with a character for each byte: see {@link Names}. */
  public String name() {
    return name;
  }

  public String shownName() {
    return Names.shown(name);
  }

  public FilterDefinition definition() {
    return now.definition;
  }

  public long cost() {
    return now.cost;
  }

  @Override
  public Hash64 hash() {
    return now.hash;
  }

  @Override
  public boolean rehashes() {
    return now.gate.rehashes();
  }

  /** Returns the secret that its items are hashed with; empty if they are hashed with a seed. */
  public Optional<Secret> secret() {
    return now.gate.spec().secret();
  }

  /** Returns the secrets that its items are hashed with: at most one, and those before a change. */
  Set<Secret> secrets() {
    Set<Secret> all = new HashSet<>();
    secret().ifPresent(all::add);
    guarded(g -> g.snapshot(Map.of()).predecessors())
        .forEach(former -> former.spec().secret().ifPresent(all::add));
    return all;
  }

  /** Returns the time at which the whole filter expires, in milliseconds since 1970. */
  public long expiresAt() {
    return expiresAt;
  }

  public void expiresAt(long millis) {
    expiresAt = millis;
    changed = true;
  }

  /** Releases what it holds beyond its cost, because it was deleted. */
  void delete() {
    held.clear();
  }

  /** Returns whether it has changed since {@link #saved}. */
  public boolean isChanged() {
    return changed;
  }

  /** Called when a save begins: later changes need another one. */
  public void saved() {
    changed = false;
  }

  /** Marks it as changed, because a save failed or the change is in no journal. */
  public void touch() {
    changed = true;
  }

  /**
   * Returns whether a batch was admitted, or the filter was created or loaded, since a time in
   * milliseconds since 1970.
   */
  boolean wasInUseSince(long millis) {
    return admittedAt + 1000 > millis;
  }

  /** Returns whether items can be admitted in a batch, because none of them can be rejected. */
  public boolean takesBatches() {
    return !now.definition.nonScaling();
  }

  /** Returns whether each item is compared by its own time, so that it may come with a time. */
  public boolean hasOwnTimes() {
    return now.definition.window().lateness() > 0;
  }

  /**
   * Admits items that arrive now: see {@link Gate#admitAll(long[], int, int, long[])}. The clock is
   * read once, so that the journal has the time that has decided.
   */
  public int admitAll(Items items, long[] fresh, Journal journal) {
    if (items.canBeHashed() && rehashes()) {
      return admitRehashed(items, fresh, journal);
    }
    long time = clock.millis();
    long[] hashes = items.hashes();
    int count = items.count();
    int admitted = guarded(g -> admitAll(g, hashes, count, time, fresh));
    if (admitted > 0) {
      if (!changed) { // threads share it, and each write invalidates their caches
        changed = true;
      }
      if (time - admittedAt >= 1000) {
        admittedAt = time;
      }
      journal.remembered(this, true, time, hashes, count, fresh);
    }
    if (admitted < count && now.recordsDuplicates()) {
      long[] known = new long[Items.words(count)];
      Arrays.setAll(known, i -> ~fresh[i]);
      journal.remembered(this, false, time, hashes, count, known);
    }
    return admitted;
  }

  /** Admits items of which some may be known to a filter from before a change of the secret. */
  private int admitRehashed(Items items, long[] fresh, Journal journal) {
    long[] known = new long[Items.words(items.count())];
    for (int i = 0; i < items.count(); i++) {
      known[i >>> 6] |= (admitKnown(items.get(i), clock.millis(), journal) ? 1L : 0) << i;
    }
    long[] answers = new long[known.length];
    int admitted = admitAll(items.without(known).hashesOnly(), answers, journal);
    items.spread(answers, known, fresh);
    return admitted;
  }

  /**
   * Counts an item as a duplicate if only a filter from before a change of the secret knows it.
   * Returns whether it does. The present filter learns the item, unless its window counts from the
   * first time; the journal records that, because the former filter may be dropped before a save.
   */
  private boolean admitKnown(Item item, long millis, Journal journal) {
    if (!item.canBeHashed()) {
      return false;
    }
    boolean[] learned = new boolean[1];
    boolean known =
        guarded(
            g -> {
              if (g.mightContain(item.hash(), millis)
                  || !g.isKnown(item.hash(), millis, item::hash)) {
                return false;
              }
              g.admitKnown(item.hash(), millis);
              learned[0] = g.mightContain(item.hash(), millis);
              return true;
            });
    if (learned[0]) {
      record(item.hash(), millis, false, journal);
    }
    return known;
  }

  /** Remembers an item of the journal: see {@link Journal#remembered}. */
  public void replay(long item, long millis, boolean fresh) {
    alone(
        g -> {
          if (fresh) {
            g.admit(item, millis);
          } else {
            g.admitKnown(item, Math.min(millis, clock.millis()));
          }
          return null;
        });
    changed = true;
  }

  private static int admitAll(Gate g, long[] hashes, int count, long time, long[] fresh) {
    if (g.spec().window().isNone()) {
      return g.admitAll(hashes, 0, count, fresh);
    }
    long[] times = new long[count];
    Arrays.fill(times, time);
    return g.admitAll(hashes, times, 0, count, fresh);
  }

  /**
   * Returns whether an item of this time would be too late to check: it is then admitted, and not
   * remembered.
   */
  public boolean isTooLate(Item item, long millis) {
    return guarded(g -> g.isTooLate(item.hash(), millis));
  }

  /** Admits an item that was seen at this time. Returns whether it is new. */
  public boolean admit(Item item, long millis, Journal journal) {
    if (admitKnown(item, millis, journal)) {
      return false;
    }
    boolean[] late = new boolean[1]; // the journal needs no item that is not remembered
    boolean fresh =
        guarded(
            g -> {
              late[0] = g.isTooLate(item.hash(), millis);
              return g.admit(item.hash(), millis);
            });
    if (!late[0]) {
      recordAnswer(item.hash(), millis, fresh, journal);
    }
    return fresh;
  }

  private void record(long item, long millis, boolean fresh, Journal journal) {
    changed = true;
    journal.remembered(this, fresh, millis, new long[] {item}, 1, ONE);
  }

  private void recordAnswer(long item, long millis, boolean fresh, Journal journal) {
    if (fresh || now.recordsDuplicates()) {
      record(item, millis, fresh, journal);
    }
  }

  /** The answers of {@link #add}. */
  public enum Added {
    NEW,
    KNOWN,
    /** The item is new, but the filter is full. */
    FULL
  }

  /**
   * Adds an item to a filter that rejects items when it is full. Such a filter never forgets, so
   * its secret never changes, and no filter knows items by other hashes.
   */
  public Added add(long item, Journal journal) {
    Added added =
        guarded(
            g -> {
              if (g.mightContain(item)) {
                g.admit(item); // counts the duplicate
                return Added.KNOWN;
              }
              if (g.admitted() >= now.definition.capacity()) {
                return Added.FULL;
              }
              g.admit(item);
              return Added.NEW;
            });
    if (added != Added.FULL) {
      recordAnswer(item, clock.millis(), added == Added.NEW, journal);
    }
    return added;
  }

  public boolean contains(Item item) {
    long time = clock.millis();
    return guarded(
        g ->
            (now.isWindowed() ? g.mightContain(item.hash(), time) : g.mightContain(item.hash()))
                || (item.canBeHashed() && g.isKnown(item.hash(), time, item::hash)));
  }

  /** Queries items: see {@link Gate#mightContainAll}. */
  public void containsAll(Items items, long[] seen) {
    long[] hashes = items.hashes();
    int count = items.count();
    if (now.isWindowed()) {
      guarded(g -> g.mightContainAll(hashes, clock.millis(), 0, count, seen));
    } else {
      guarded(g -> g.mightContainAll(hashes, 0, count, seen));
    }
    for (int i = 0; i < count && items.canBeHashed(); i++) {
      seen[i >>> 6] |= (contains(items.get(i)) ? 1L : 0) << i;
    }
  }

  /** Reserves an item for some milliseconds: see {@link ReservationTokens}. */
  public ReservationTokens.Grant reserve(Item item, long millis, Journal journal) {
    if (admitKnown(item, clock.millis(), journal)) {
      return new ReservationTokens.Grant(Reservation.Status.DUPLICATE, "");
    }
    ReservationTokens.Grant grant = guarded(g -> held.reserve(g, item.hash(), millis));
    if (grant.status() == Reservation.Status.DUPLICATE && now.recordsDuplicates()) {
      record(item.hash(), clock.millis(), false, journal);
    }
    return grant;
  }

  /**
   * Marks a reserved item as seen.
   *
   * @return whether the item was not seen before
   */
  public boolean commit(String token, Journal journal) {
    ReservationTokens.Held reserved = held.find(token);
    boolean first = guarded(g -> held.commit(token));
    recordAnswer(reserved.item(), reserved.since(), first, journal);
    return first;
  }

  /** Releases a reserved item. Returns whether there was such a reservation. */
  public boolean rollback(String token) {
    return guarded(g -> held.rollback(token));
  }

  public Report report() {
    held.dropEnded();
    return guarded(Gate::report);
  }

  /**
   * Returns the number of items that were evicted to make room for others; with a window, only
   * those evicted before it ended, since the server was started. It is 0 for kinds that do not
   * count them.
   */
  public long evictedEarly() {
    return guarded(
        g -> g.spec().window().isNone() ? g.report().evictedEarly().orElse(0) : g.evictedEarly());
  }

  /** Returns the number of items that were added, and of those that were new. */
  public long[] counts() {
    return guarded(g -> new long[] {g.records(), g.admitted()});
  }

  public long admitted() {
    return guarded(Gate::admitted);
  }

  /**
   * Returns a state to save. Of a filter in shards it refers to the live filter, whose shards can
   * be written one by one; a small filter is copied.
   *
   * @param more texts to save with it
   */
  public Snapshot snapshot(Map<String, String> more) {
    Serving serving = now;
    Map<String, String> texts = new HashMap<>(serving.definition.texts(id, name, expiresAt));
    texts.putAll(more);
    Gate gate = serving.gate;
    return gate.shards().isEmpty()
        ? guarded(g -> gate.copy()).snapshot(texts)
        : gate.snapshot(texts);
  }

  /** Returns the number of filters that are consulted: one, and those that it has replaced. */
  public int filters() {
    return 1 + guarded(g -> g.snapshot(Map.of()).predecessors().size());
  }

  /**
   * Continues with another definition. The filter so far is consulted until nothing that it knows
   * can matter.
   *
   * @param secret the secret to hash items with; empty for what hashes them now
   * @param restored creates the gate from a state
   * @return by how much the cost has grown
   */
  long resize(
      FilterDefinition definition, Optional<Secret> secret, Function<Snapshot, Gate> restored) {
    return alone(
        gate -> {
          Gate next = restored.apply(definition.takeOver(gate, secret, clock.millis()));
          long before = now.cost;
          held.clear();
          now = Serving.of(definition, next);
          changed = true;
          return now.cost - before;
        });
  }

  /** Returns by how much the cost is less than before, because a replaced filter was dropped. */
  long dropReplaced() {
    if (!now.takesOver) {
      return 0;
    }
    return alone(
        gate -> {
          gate.report(); // drops what has ended
          long before = now.cost;
          now = Serving.of(now.definition, gate);
          changed |= now.cost < before; // the saved state still contains it
          return before - now.cost;
        });
  }

  /** Runs work on the gate, under an exclusive lock if the gate needs that. */
  public <T> T guarded(Function<Gate, T> work) {
    if (now.isConcurrent()) {
      Lock shared = locks.readLock();
      shared.lock();
      try {
        if (now.isConcurrent()) { // it was not resized meanwhile
          return work.apply(now.gate);
        }
      } finally {
        shared.unlock();
      }
    }
    return alone(work);
  }

  /** Runs work on the gate under an exclusive lock. */
  public <T> T alone(Function<Gate, T> work) {
    Lock lock = locks.writeLock();
    lock.lock();
    try {
      return work.apply(now.gate);
    } finally {
      lock.unlock();
    }
  }
}
