package dev.unseen.server.store;

import dev.unseen.hash.Hash64;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The keys of {@code SET key value NX EX seconds}: true the first time, false until the expiry has
 * passed.
 *
 * <p>There is a filter for each expiry of the {@link ExpiryGrid} that is in use. If the server was
 * started with another memory for them than before, the filter is resized, and nothing is
 * forgotten. A key is held for at least its expiry and for at most that of the grid and a seventh
 * more; a second SET does not renew it. A filter cannot forget a single key, so deleted keys are
 * kept in a short exact list until the filter has forgotten them:
 *
 * <pre>
 * a key in the list, at time t:
 *   t before setUntil:      it was set again after it was deleted: it exists
 *   t before forgottenBy:   it was deleted: it does not exist, whatever the filter answers
 *   later:                  it leaves the list, and the filter is queried
 * </pre>
 */
public final class SetKeys implements Item.Target {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");

  private static final String NAME = "SET EX ";

  /** The largest number of different expiries. */
  public static final int MAX_EXPIRIES = 32;

  /** A filter whose keys have all expired is kept for this long: it may be used again soon. */
  private static final long KEPT_MILLIS = 600_000;

  private final Keyspace keyspace;
  private final long memory;
  private final Object preparing = new Object();
  private final ReadWriteLock locks = new ReentrantReadWriteLock();
  private final NavigableMap<Long, ServedFilter> byExpiry = new ConcurrentSkipListMap<>();
  private final DeletedKeys deleted;
  private final int maxDeleted;
  private volatile Hash64 hash;
  private volatile List<Hash64> listHashes = List.of(); // of former secrets, for the list
  private volatile boolean rehashes;

  SetKeys(Keyspace keyspace, StoreLimits limits) {
    this.keyspace = keyspace;
    this.memory = limits.setMemory();
    this.maxDeleted = limits.deletedKeys();
    this.deleted = new DeletedKeys(keyspace.budget());
    this.hash = hashWith(keyspace.secret());
  }

  private static Hash64 hashWith(Secret secret) {
    return FilterDefinition.forSet(1000, 1 << 20).spec(secret).keyHash();
  }

  /**
   * Called when the secret has changed, or a former one is not needed any more.
   *
   * @param former the secrets that keys in the list may be hashed with
   */
  void useSecret(Secret secret, List<FormerSecret> former) {
    hash = hashWith(secret);
    listHashes = former.stream().map(one -> hashWith(one.secret())).toList();
    checkHashes();
  }

  private void checkHashes() {
    rehashes = !listHashes.isEmpty() || all().anyMatch(ServedFilter::rehashes);
  }

  /** Returns whether a name is reserved for the filters of this class. */
  public static boolean isName(String name) {
    return name.startsWith(NAME);
  }

  @Override
  public Hash64 hash() {
    return hash;
  }

  @Override
  public boolean rehashes() {
    return rehashes;
  }

  /** Runs work while no other thread uses the keys. */
  private <T> T alone(Supplier<T> work) {
    locks.writeLock().lock();
    try {
      return work.get();
    } finally {
      locks.writeLock().unlock();
    }
  }

  /** Runs work that other threads may do in parallel. */
  private <T> T shared(Supplier<T> work) {
    locks.readLock().lock();
    try {
      return work.get();
    } finally {
      locks.readLock().unlock();
    }
  }

  /** Returns the latest time at which a key of the list expires; 0 if the list is empty. */
  long listedUntil() {
    long[] latest = new long[1];
    return alone(
        () -> {
          deleted.forEach(
              (key, forgottenBy, setUntil) ->
                  latest[0] = Math.max(latest[0], Math.max(forgottenBy, setUntil)));
          return latest[0];
        });
  }

  /** Returns the filters, the shortest expiry first. */
  public List<ServedFilter> filters() {
    return shared(() -> all().toList());
  }

  private Stream<ServedFilter> all() {
    return byExpiry.values().stream();
  }

  /** Returns the filter that is shown under this name, such as {@code SET EX 24h}, or null. */
  public ServedFilter find(String name) {
    return filters().stream().filter(f -> f.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * Sets keys that do not exist, all with the same expiry.
   *
   * <p>As long as only one expiry is in use and no key is deleted, threads run in parallel.
   *
   * @param fresh receives a bit for each key, which is set if the key did not exist
   */
  public void setAll(Items keys, long millis, long[] fresh) {
    long expiry = ExpiryGrid.roundUp(millis);
    if (shared(() -> setInOnly(byExpiry.get(expiry), keys, fresh))) {
      return;
    }
    alone(
        () -> {
          ServedFilter filter = filterFor(expiry);
          if (!setInOnly(filter, keys, fresh)) {
            setAmongOthers(filter, keys, millis, fresh);
          }
          return null;
        });
  }

  /** Sets keys if this filter alone decides, which may be null. Returns whether it does. */
  private boolean setInOnly(ServedFilter filter, Items keys, long[] fresh) {
    if (filter == null || byExpiry.size() > 1 || !deleted.isEmpty()) {
      return false;
    }
    filter.admitAll(keys, fresh, keyspace.journal());
    return true;
  }

  /** Sets keys that may be in the list, or have another expiry. */
  private void setAmongOthers(ServedFilter filter, Items keys, long millis, long[] fresh) {
    long now = keyspace.now();
    int count = keys.count();
    long[] decided = heldByOthers(filter, keys); // the others are decided by the filter
    long[] setAgain = new long[decided.length];
    for (int i = 0; i < count; i++) {
      DeletedKeys.Times exact = exact(keys.get(i), now);
      if (exact != null) {
        decided[i >>> 6] |= 1L << i;
        if (now >= exact.setUntil()) {
          remember(keys.get(i).hash(), exact.forgottenBy(), now + millis, now);
          setAgain[i >>> 6] |= 1L << i;
        }
      }
    }
    long[] answers = new long[decided.length];
    filter.admitAll(keys.without(decided), answers, keyspace.journal());
    keys.spread(answers, decided, fresh);
    for (int i = 0; i < setAgain.length; i++) {
      fresh[i] |= setAgain[i];
    }
  }

  /** Returns a bit for each key, which is set if another filter holds it. */
  private long[] heldByOthers(ServedFilter filter, Items keys) {
    long[] held = new long[Items.words(keys.count())];
    long[] seen = new long[held.length];
    all()
        .filter(other -> other != filter)
        .forEach(
            other -> {
              other.containsAll(keys, seen);
              for (int i = 0; i < held.length; i++) {
                held[i] |= seen[i];
              }
            });
    return held;
  }

  /** Returns whether there is a filter for keys with this expiry. */
  public boolean isPrepared(long millis) {
    return millis <= ExpiryGrid.LONGEST && byExpiry.containsKey(ExpiryGrid.roundUp(millis));
  }

  /** Creates the filter for keys with this expiry. Meanwhile, others can set keys. */
  public void prepare(long millis) {
    long expiry = ExpiryGrid.roundUp(millis);
    synchronized (preparing) {
      if (byExpiry.containsKey(expiry)) {
        return;
      }
      requireRoomForExpiry();
      ServedFilter filter = build(expiry);
      alone(() -> use(filter, expiry));
    }
  }

  private void requireRoomForExpiry() {
    if (byExpiry.size() >= MAX_EXPIRIES) {
      throw new StoreException(
          StoreException.Reason.EXPIRY_LIMIT,
          "keys of SET have %d different expiries, which is the limit: %s"
              .formatted(byExpiry.size(), expiries()));
    }
  }

  private ServedFilter filterFor(long expiry) {
    ServedFilter found = byExpiry.get(expiry);
    if (found != null) {
      return found;
    }
    requireRoomForExpiry();
    return use(build(expiry), expiry);
  }

  /** Uses a new filter for an expiry, unless it has one by now. Returns the one that it has. */
  private ServedFilter use(ServedFilter filter, long expiry) {
    ServedFilter other = byExpiry.putIfAbsent(expiry, filter);
    if (other == null) {
      keyspace.journal().created(filter);
      return filter;
    }
    keyspace.retire(filter);
    return other;
  }

  private ServedFilter build(long expiry) {
    String name = NAME + Print.duration(Duration.ofMillis(expiry));
    return keyspace.build(name, FilterDefinition.forSet(expiry, memory));
  }

  private String expiries() {
    List<String> all = new ArrayList<>();
    byExpiry.keySet().forEach(millis -> all.add(Print.duration(Duration.ofMillis(millis))));
    return String.join(", ", all);
  }

  void adopt(ServedFilter filter) {
    alone(
        () -> {
          ServedFilter before = byExpiry.put(filter.definition().setMillis(), filter);
          if (before != null) {
            keyspace.retire(before);
          }
          return null;
        });
  }

  /** Gives the configured memory to filters that had another before the server was started. */
  public void resize() {
    for (ServedFilter filter : filters()) {
      FilterDefinition definition = filter.definition();
      if (definition.memory() == memory) {
        continue;
      }
      try {
        keyspace.resize(
            filter,
            definition.changedTo(
                definition.errorRate(), definition.capacity(), memory, definition.window()));
      } catch (StoreException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "filter '%s' keeps its memory of %s instead of the configured %s: %s"
                .formatted(
                    filter.name(),
                    Print.bytes(definition.memory()),
                    Print.bytes(memory),
                    e.getMessage()));
      }
    }
  }

  /** Returns whether a key was probably set, and has not expired. */
  public boolean contains(Item key) {
    Optional<Boolean> simple =
        shared(() -> deleted.isEmpty() ? Optional.of(!holders(key).isEmpty()) : Optional.empty());
    return simple.orElseGet(
        () ->
            alone(
                () -> {
                  long now = keyspace.now();
                  DeletedKeys.Times exact = exact(key, now);
                  return exact != null ? now < exact.setUntil() : !holders(key).isEmpty();
                }));
  }

  private List<ServedFilter> holders(Item key) {
    return all().filter(filter -> filter.contains(key)).toList();
  }

  public boolean delete(Item key) {
    return alone(
        () -> {
          long now = keyspace.now();
          DeletedKeys.Times exact = exact(key, now);
          if (exact != null) {
            remember(key.hash(), exact.forgottenBy(), 0, now);
            return now < exact.setUntil();
          }
          List<ServedFilter> holders = holders(key);
          if (holders.isEmpty()) {
            return false;
          }
          requireRoom(now);
          remember(key.hash(), now + longestWindow(holders), 0, now);
          return true;
        });
  }

  /**
   * Returns whether a key would outlive its filters with another expiry, so that {@link #expire}
   * adds it to the filter of that one.
   */
  public boolean lengthens(Item key, long millis) {
    return shared(() -> lengthens(holders(key), millis));
  }

  private static boolean lengthens(List<ServedFilter> holders, long millis) {
    return !holders.isEmpty()
        && ExpiryGrid.roundUp(millis)
            > holders.stream().mapToLong(f -> f.definition().setMillis()).max().orElse(0);
  }

  /**
   * Changes when a key expires. Returns whether it exists. A longer expiry adds it to the filter of
   * that expiry; a filter cannot forget a single key earlier, so for a shorter one it is listed.
   */
  public boolean expire(Item key, long millis) {
    return alone(
        () -> {
          long now = keyspace.now();
          DeletedKeys.Times exact = exact(key, now);
          if (exact != null) {
            if (now < exact.setUntil()) {
              remember(key.hash(), exact.forgottenBy(), now + millis, now);
            }
            return now < exact.setUntil();
          }
          List<ServedFilter> holders = holders(key);
          if (lengthens(holders, millis)) {
            filterFor(ExpiryGrid.roundUp(millis))
                .admitAll(Items.of(key.hash()), new long[1], keyspace.journal());
          } else if (!holders.isEmpty()) {
            requireRoom(now);
            remember(key.hash(), now + longestWindow(holders), now + millis, now);
          }
          return !holders.isEmpty();
        });
  }

  private static long longestWindow(List<ServedFilter> holders) {
    return holders.stream().mapToLong(f -> f.definition().window().length()).max().orElse(0);
  }

  private void requireRoom(long now) {
    if (deleted.size() >= maxDeleted) {
      deleted.removeEnded(now);
    }
    if (deleted.size() >= maxDeleted) {
      throw new StoreException(
          StoreException.Reason.DELETED_LIMIT,
          "%d keys of SET are deleted and not yet expired, which is the limit: an approximate set can only list its deleted keys"
              .formatted(deleted.size()));
    }
  }

  private void remember(long key, long forgottenBy, long setUntil, long now) {
    deleted.put(key, new DeletedKeys.Times(forgottenBy, setUntil), now);
    keyspace.journal().exception(key, forgottenBy, setUntil);
  }

  /**
   * Returns the times of a key in the list, or null. A key under a former hash gets the present.
   */
  private DeletedKeys.Times exact(Item key, long now) {
    DeletedKeys.Times exact = exact(key.hash(), now);
    for (Hash64 former : key.canBeHashed() ? listHashes : List.<Hash64>of()) {
      long formerKey = key.hash(former);
      DeletedKeys.Times listed = exact == null ? exact(formerKey, now) : null;
      if (listed != null) {
        remember(key.hash(), listed.forgottenBy(), listed.setUntil(), now);
        remember(formerKey, 0, 0, now);
        exact = listed;
      }
    }
    return exact;
  }

  private DeletedKeys.Times exact(long key, long now) {
    DeletedKeys.Times exact = deleted.get(key);
    if (exact != null && exact.end() <= now) {
      deleted.remove(key);
      return null;
    }
    return exact;
  }

  /** Adds a key from the journal to the list. */
  public void restore(long key, long forgottenBy, long setUntil) {
    alone(
        () -> {
          deleted.put(key, new DeletedKeys.Times(forgottenBy, setUntil), keyspace.now());
          return null;
        });
  }

  /** Writes all filters and the list to a journal. */
  void writeAll(Journal journal) {
    alone(
        () -> {
          all().forEach(journal::created);
          deleted.removeEnded(keyspace.now());
          deleted.forEach(journal::exception);
          return null;
        });
  }

  public int deletedKeys() {
    return alone(deleted::size);
  }

  /** Deletes one of the filters and all its keys. Returns whether it existed. */
  public boolean drop(ServedFilter filter) {
    return alone(
        () -> {
          if (!byExpiry.remove(filter.definition().setMillis(), filter)) {
            return false;
          }
          keyspace.retire(filter);
          keyspace.journal().deleted(filter);
          return true;
        });
  }

  /**
   * Deletes the filters whose keys expired long ago. The next SET with their expiry creates
   * another.
   */
  void dropUnused() {
    alone(
        () -> {
          long now = keyspace.now();
          all().filter(filter -> isUnused(filter, now)).toList().forEach(this::drop);
          checkHashes();
          return null;
        });
  }

  private boolean isUnused(ServedFilter filter, long now) {
    return !filter.wasInUseSince(now - KEPT_MILLIS - filter.definition().window().length());
  }

  void clear() {
    alone(
        () -> {
          all().toList().forEach(this::drop);
          deleted.forEach((key, forgottenBy, setUntil) -> keyspace.journal().exception(key, 0, 0));
          deleted.clear();
          return null;
        });
  }
}
