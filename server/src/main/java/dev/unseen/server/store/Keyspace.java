package dev.unseen.server.store;

import dev.unseen.Alarm;
import dev.unseen.Gate;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All filters by their names, and the keys of SET. Safe for use by many threads. */
public final class Keyspace {
  private final Map<String, ServedFilter> filters = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final MemoryBudget budget;
  private final StoreLimits limits;
  private final SetKeys setKeys;
  private final AtomicLong nextId = new AtomicLong(1);
  private final Object creating = new Object(); // held while a filter is built
  private volatile Secret secret;
  private volatile List<FormerSecret> formerSecrets = List.of();
  private volatile Journal journal = Journal.NONE;
  private volatile BiConsumer<String, Alarm> alarmListener = (name, alarm) -> {};

  /**
   * Creates an empty keyspace.
   *
   * @param clock the time that expiries and windows are counted by
   */
  public Keyspace(Secret secret, MemoryBudget budget, StoreLimits limits, InstantSource clock) {
    this.secret = secret;
    this.clock = clock;
    this.budget = budget;
    this.limits = limits;
    this.setKeys = new SetKeys(this, limits);
  }

  /** Sets the journal that all changes are appended to. */
  public void journal(Journal to) {
    journal = to;
  }

  public Journal journal() {
    return journal;
  }

  /** Calls a listener with the name of a filter and its alarm. */
  public void onAlarm(BiConsumer<String, Alarm> listener) {
    alarmListener = listener;
  }

  public InstantSource clock() {
    return clock;
  }

  public long now() {
    return clock.millis();
  }

  /** Returns the secret that all new filters hash with. */
  public Secret secret() {
    return secret;
  }

  /** Returns the secrets that were replaced and may still be needed, the latest first. */
  public List<FormerSecret> formerSecrets() {
    return formerSecrets;
  }

  /** Sets the secrets that were replaced and may still be needed, the latest first. */
  public void formerSecrets(List<FormerSecret> former) {
    formerSecrets = List.copyOf(former);
    setKeys.useSecret(secret, formerSecrets);
  }

  /**
   * Hashes all items with another secret from now on. No item is forgotten. No client may use the
   * filters meanwhile, because the hashes that it has computed would be of the former secret.
   *
   * @return messages about it for a person
   * @throws StoreException if there is no memory for a second filter for each one that changes
   */
  public List<String> changeSecret(Secret to) {
    List<FormerSecret> former = new ArrayList<>();
    former.add(new FormerSecret(secret, setKeys.listedUntil()));
    formerSecrets.stream().filter(one -> !one.secret().equals(secret)).forEach(former::add);
    former.removeIf(one -> one.secret().equals(to));
    secret = to;
    formerSecrets(former);
    rehash();
    all().forEach(ServedFilter::touch); // their files say which secret the directory has
    return all().stream()
        .filter(filter -> filter.definition().isPermanent())
        .filter(filter -> !filter.secret().equals(Optional.of(to)))
        .map(
            filter ->
                "filter '%s' keeps the former secret, because it never forgets an item; delete it and create it again to change its secret"
                    .formatted(filter.shownName()))
        .toList();
  }

  /**
   * Lets filters whose items are hashed with a former secret take over the present one. A filter
   * that never forgets keeps its secret. Returns whether there were others.
   */
  public boolean rehash() {
    boolean any = false;
    for (ServedFilter filter : all()) {
      if (hasFormerSecret(filter) && !filter.definition().isPermanent()) {
        change(filter, filter.definition(), Optional.of(secret));
        any = true;
      }
    }
    setKeys.useSecret(secret, formerSecrets);
    return any;
  }

  private boolean hasFormerSecret(ServedFilter filter) {
    Optional<Secret> its = filter.secret();
    return formerSecrets.stream().anyMatch(one -> its.equals(Optional.of(one.secret())));
  }

  /** Returns the number of former secrets that items or deleted keys are still hashed with. */
  public long formerSecretsInUse() {
    Set<Secret> used = new HashSet<>();
    formerSecrets.forEach(one -> used.add(one.secret()));
    all().forEach(filter -> used.addAll(filter.secrets()));
    used.remove(secret);
    return used.size();
  }

  public MemoryBudget budget() {
    return budget;
  }

  public StoreLimits limits() {
    return limits;
  }

  public SetKeys setKeys() {
    return setKeys;
  }

  /** Returns a filter, or null if there is none of this name. */
  public ServedFilter find(String name) {
    ServedFilter found = filters.get(name);
    if (found != null && found.expiresAt() <= now()) {
      delete(found);
      return null;
    }
    return found;
  }

  /**
   * Returns a filter to be described: also one for keys of SET, under the name that it is shown
   * with, such as {@code SET EX 24h}.
   */
  public ServedFilter requireShown(String name) {
    ServedFilter found = find(name);
    return found != null
        ? found
        : Optional.ofNullable(setKeys.find(name)).orElseGet(() -> require(name));
  }

  /**
   * Returns a filter.
   *
   * @throws StoreException if there is none of this name
   */
  public ServedFilter require(String name) {
    ServedFilter found = find(name);
    if (found == null) {
      throw new StoreException(StoreException.Reason.NOT_FOUND, "not found");
    }
    return found;
  }

  /** Creates a filter. While a large one is built, others can be used and deleted. */
  public ServedFilter create(String name, FilterDefinition definition) {
    synchronized (creating) {
      requireNew(name);
      return add(build(name, definition));
    }
  }

  /**
   * Rejects a name for which no filter can be created.
   *
   * @throws StoreException if there is a filter of this name, or cannot be one
   */
  public void requireNew(String name) {
    if (find(name) != null) {
      throw new StoreException(StoreException.Reason.EXISTS, "item exists");
    }
    requireRoomFor(name);
  }

  /** Others find a filter only after it is in the journal: their items must come after it. */
  private synchronized ServedFilter add(ServedFilter filter) {
    try {
      requireNew(filter.name());
      journal.created(filter);
    } catch (RuntimeException e) {
      retire(filter);
      throw e;
    }
    filters.put(filter.name(), filter);
    return filter;
  }

  private void requireRoomFor(String name) {
    if (SetKeys.isName(name)) {
      throw new StoreException(
          StoreException.Reason.INVALID_NAME,
          "the name '%s' is reserved for a filter of keys of SET".formatted(Names.shown(name)));
    }
    if (filters.size() >= limits.filters()) {
      throw new StoreException(
          StoreException.Reason.FILTER_LIMIT,
          "there are %d filters, which is the limit".formatted(filters.size()));
    }
    if (Names.file(name, "") == null) {
      throw new StoreException(
          StoreException.Reason.INVALID_NAME,
          "the name of a filter (%d bytes) is too long for its file: the limit is 65 bytes, or 196 small letters and digits"
              .formatted(name.length()));
    }
  }

  /** Returns the filter of this name, which is created if it does not exist. */
  public ServedFilter findOrCreate(String name, FilterDefinition definition) {
    ServedFilter found = find(name);
    if (found != null) {
      return found;
    }
    synchronized (creating) {
      found = find(name);
      return found != null ? found : create(name, definition);
    }
  }

  /**
   * Changes the definition of a filter without forgetting any item: see {@link
   * ServedFilter#resize}. While the larger filter is allocated, requests to this one wait.
   *
   * @throws StoreException if there is no memory for both filters
   */
  public void resize(ServedFilter filter, FilterDefinition definition) {
    change(filter, definition, Optional.empty());
    journal.created(filter);
  }

  private void change(
      ServedFilter filter, FilterDefinition definition, Optional<Secret> newSecret) {
    long most = definition.cost(secret);
    budget.take(most, "filter '%s' with its new options".formatted(filter.shownName()));
    long taken = 0;
    try {
      taken = filter.resize(definition, newSecret, state -> restore(filter.name(), state));
    } catch (OutOfMemoryError e) {
      throw new StoreException(
          StoreException.Reason.HEAP_FULL,
          "the heap has no room for a filter of %d bytes".formatted(most));
    } finally {
      budget.release(most - taken);
    }
  }

  /** Creates a filter that cannot be found yet. */
  ServedFilter build(String name, FilterDefinition definition) {
    return build(nextId.getAndIncrement(), name, definition, secret);
  }

  private ServedFilter build(long id, String name, FilterDefinition definition, Secret with) {
    long cost = definition.cost(with);
    budget.take(cost, "filter '%s'".formatted(Names.shown(name)));
    try {
      Gate gate = definition.build(with, alarmOf(name), clock, limits.reservations());
      return served(id, name, definition, gate);
    } catch (IllegalArgumentException e) {
      budget.release(cost);
      throw e;
    } catch (OutOfMemoryError e) {
      budget.release(cost);
      throw new StoreException(
          StoreException.Reason.HEAP_FULL,
          "the heap has no room for a filter of %d bytes".formatted(cost));
    }
  }

  /** Creates the gate of a filter that continues from a state. */
  public Gate restore(String name, Snapshot state) {
    return FilterDefinition.restore(state, alarmOf(name), clock, limits.reservations());
  }

  public Consumer<Alarm> alarmOf(String name) {
    return alarm -> alarmListener.accept(name, alarm);
  }

  /** Writes all filters, and the list of deleted keys of SET, to a journal. */
  public synchronized void writeAll(Journal to) {
    named().forEach(to::created);
    setKeys.writeAll(to);
  }

  /** Marks the number of a filter as used, so that no other gets it. */
  public void usedId(long id) {
    nextId.accumulateAndGet(id + 1, Math::max);
  }

  /**
   * Creates a filter again that the journal names. One of the same name is replaced.
   *
   * @param with the secret that its items in the journal are hashed with
   */
  public ServedFilter recreate(long id, String name, FilterDefinition definition, Secret with) {
    ServedFilter filter = build(id, name, definition, with);
    adopt(filter);
    return filter;
  }

  /** Adds a filter that was loaded. One of the same name is replaced. */
  public ServedFilter adopt(long id, String name, FilterDefinition definition, Gate gate) {
    long cost = FilterDefinition.cost(gate);
    budget.take(cost, "filter '%s'".formatted(Names.shown(name)));
    ServedFilter filter = served(id == 0 ? nextId.getAndIncrement() : id, name, definition, gate);
    adopt(filter);
    return filter;
  }

  private ServedFilter served(long id, String name, FilterDefinition definition, Gate gate) {
    ReservationTokens held = new ReservationTokens(clock, limits.reservations(), budget);
    return new ServedFilter(id, name, definition, gate, clock, held);
  }

  private synchronized void adopt(ServedFilter filter) {
    usedId(filter.id());
    if (filter.definition().setMillis() > 0) {
      setKeys.adopt(filter);
      return;
    }
    ServedFilter before = filters.put(filter.name(), filter);
    if (before != null) {
      retire(before);
    }
  }

  public synchronized boolean delete(ServedFilter filter) {
    if (!filters.remove(filter.name(), filter)) {
      return false;
    }
    retire(filter);
    journal.deleted(filter);
    return true;
  }

  void retire(ServedFilter filter) {
    filter.delete();
    budget.release(filter.cost());
  }

  public synchronized void clear() {
    List.copyOf(filters.values()).forEach(this::delete);
    setKeys.clear();
  }

  /** Deletes expired filters, and those of SET whose keys have all expired. */
  public void dropExpired() {
    named().forEach(filter -> find(filter.name()));
    setKeys.dropUnused();
    all().forEach(filter -> budget.release(filter.dropReplaced()));
  }

  /** Returns the filters that have names, in the order of their names. */
  public List<ServedFilter> named() {
    return filters.values().stream().sorted(Comparator.comparing(ServedFilter::name)).toList();
  }

  /**
   * Returns those of {@link #named} that have not expired; expired ones are about to be deleted.
   */
  public List<ServedFilter> live() {
    long now = now();
    return named().stream().filter(filter -> filter.expiresAt() > now).toList();
  }

  /** Returns all filters, also those for keys of SET. */
  public List<ServedFilter> all() {
    return Stream.of(named(), setKeys.filters()).flatMap(Collection::stream).toList();
  }
}
