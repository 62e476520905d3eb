package dev.unseen.spring;

import dev.unseen.Alarm;
import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.SavedDeduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.spring.DeduplicatorProperties.StateProperties;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * Creates the deduplicators of the application from its properties, and keeps their states: loaded
 * when they are created, saved from time to time, and saved when the application ends.
 *
 * <pre>{@code
 * @Bean
 * Deduplicator<Order> ordersDeduplicator(DeduplicatorFactory deduplicators) {
 *   return deduplicators.create("orders", Keys.utf8(Order::id)); // unseen.deduplicators.orders.*
 * }
 * }</pre>
 *
 * <p>All deduplicators are safe for use by many threads.
 */
public final class DeduplicatorFactory implements SmartLifecycle, DisposableBean {
  /**
   * The name of the default deduplicator, whose properties are those right below {@code unseen}.
   */
  public static final String DEFAULT = "default";

  /**
   * After everything that brings records has stopped: listeners of messages, and the web server,
   * which stops in the phase {@code DEFAULT_PHASE - 2048}.
   */
  static final int PHASE = DEFAULT_PHASE - 4096;

  private static final Log LOG = LogFactory.getLog(DeduplicatorFactory.class);
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final DeduplicatorProperties usual;
  private final Map<String, DeduplicatorProperties> named;
  private final ApplicationEventPublisher events;
  private final Map<String, ManagedDeduplicator> created = new LinkedHashMap<>();
  private final List<RemoteKeys> remote = new ArrayList<>();
  private final Map<String, RejectedReservations> rejectedByOwn = new ConcurrentHashMap<>();
  private final List<Consumer<ManagedDeduplicator>> watchers = new ArrayList<>();
  private final DeduplicatorCustomizer customizer;
  private boolean running;

  DeduplicatorFactory(
      DeduplicatorProperties usual,
      Map<String, DeduplicatorProperties> named,
      ApplicationEventPublisher events,
      DeduplicatorCustomizer customizer) {
    this.usual = usual;
    this.named = named;
    this.events = events;
    this.customizer = customizer;
  }

  /** Creates the deduplicator with this name for texts, as its properties say. */
  public Deduplicator<String> create(String name) {
    return create(name, Keys.utf8());
  }

  /** Creates the deduplicator with this name for records with this key. */
  public <T> Deduplicator<T> create(String name, Key<T> key) {
    return create(name, key, builder -> {});
  }

  /**
   * Creates the deduplicator with this name for records with this key.
   *
   * @param more sets options that have no property, such as the event time
   * @throws BadOptionException if there is one of this name already, or its state cannot be used
   * @throws InvalidConfigurationPropertyValueException if a property is invalid
   */
  public synchronized <T> Deduplicator<T> create(
      String name, Key<T> key, Consumer<DeduplicatorBuilder<T>> more) {
    if (created.containsKey(name)) {
      throw new BadOptionException(
          "The deduplicator '%s' was created already.".formatted(name),
          "Create it once, and inject it where it is used. A bean of your own named '%s' replaces the one that the properties make."
              .formatted(DeduplicatorRegistrar.beanName(name)),
          null);
    }
    String prefix = prefix(name);
    DeduplicatorProperties own = properties(name);
    requireSaveEvery(prefix, own.state().saveEvery());
    NamedOptions<T> options = NamedOptions.of(prefix, own, key);
    Consumer<DeduplicatorBuilder<T>> all =
        builder -> {
          builder.onAlarm(alarm -> report(name, alarm));
          customizer.customize(name, builder);
          more.accept(builder);
        };
    Optional<SavedDeduplicator<?>> state = Optional.empty();
    Deduplicator<T> deduplicator;
    if (!isSaved(prefix, own.state())) {
      DeduplicatorBuilder<T> builder = options.forEmpty();
      all.accept(builder);
      deduplicator = builder.build();
    } else {
      SavedDeduplicator<T> saved = new StateOpener(name, prefix, own.state()).open(options, all);
      state = Optional.of(saved);
      deduplicator = saved.deduplicator();
    }
    RejectedReservations rejected =
        new RejectedReservations(ReservationLimitAlarm.of(name, own), System::nanoTime);
    ManagedDeduplicator managed = new ManagedDeduplicator(name, deduplicator, state, rejected);
    created.put(name, managed);
    LOG.info(
        "Deduplicator '%s': %s, %s"
            .formatted(
                name,
                deduplicator.spec().describe(),
                state.map(saved -> "saved in " + saved.file()).orElse("not saved")));
    watchers.forEach(watcher -> watcher.accept(managed));
    return deduplicator;
  }

  private DeduplicatorProperties properties(String name) {
    return name.equals(DEFAULT) ? usual : named.getOrDefault(name, DeduplicatorProperties.NONE);
  }

  /**
   * Returns the keys of the deduplicator with this name, which the server in its properties holds.
   *
   * @throws InvalidConfigurationPropertyValueException if a property is invalid
   * @throws BadOptionException if Lettuce is missing, or the server rejects its use
   */
  synchronized ReservationStore connect(String name) {
    if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", null)) {
      throw new BadOptionException(
          "%s.remote.uri needs Lettuce, which is not on the class path.".formatted(prefix(name)),
          "Add the dependency io.lettuce:lettuce-core.",
          null);
    }
    RemoteKeys keys = RemoteKeys.open(name, prefix(name), properties(name));
    remote.add(keys);
    return keys;
  }

  /** Returns the keys that servers hold. */
  synchronized List<RemoteKeys> remote() {
    return List.copyOf(remote);
  }

  /** Returns the name that the properties of a deduplicator start with. */
  static String prefix(String name) {
    return name.equals(DEFAULT) ? "unseen" : "unseen.deduplicators." + name;
  }

  private static void requireSaveEvery(String prefix, Duration every) {
    if (every == null || every.compareTo(SHORTEST) < 0) {
      throw new InvalidConfigurationPropertyValueException(
          prefix + ".state.save-every", every, "it must be at least 100ms, such as 1m");
    }
  }

  private static boolean isSaved(String prefix, StateProperties state) {
    try {
      return state.path() != null;
    } catch (InvalidPathException e) {
      throw new InvalidConfigurationPropertyValueException(
          prefix + ".state.file",
          state.file(),
          "it must be the name of a file: %s".formatted(e.getReason()));
    }
  }

  private void report(String name, Alarm alarm) {
    LOG.warn("Deduplicator '%s': %s".formatted(name, alarm.message()));
    events.publishEvent(new DeduplicatorAlarm(name, alarm));
  }

  /**
   * Counts a reservation that a deduplicator has rejected with a {@link
   * dev.unseen.ReservationLimitException}. If it is the first one for a minute, it is logged and
   * published as a {@link ReservationLimitAlarm}. Idempotent methods and requests do this; call it
   * where you call {@link Deduplicator#reserve} yourself.
   *
   * @param name the name to report, if the deduplicator was not created here
   * @param deduplicator null if a server holds the keys
   */
  public void reservationRejected(String name, Deduplicator<?> deduplicator) {
    RejectedReservations rejected =
        all().stream()
            .filter(managed -> managed.deduplicator() == deduplicator)
            .findFirst()
            .map(ManagedDeduplicator::rejected)
            .orElseGet(
                () ->
                    rejectedByOwn.computeIfAbsent(
                        name,
                        own ->
                            new RejectedReservations(
                                ReservationLimitAlarm.ofOwn(own), System::nanoTime)));
    if (rejected.add()) {
      ReservationLimitAlarm alarm = rejected.alarm();
      LOG.warn("Deduplicator '%s': %s".formatted(alarm.name(), alarm.message()));
      events.publishEvent(alarm);
    }
  }

  /** Returns all deduplicators that were created so far. */
  synchronized Collection<ManagedDeduplicator> all() {
    return List.copyOf(created.values());
  }

  /** Calls an action for each deduplicator, including those that are created later. */
  synchronized void watch(Consumer<ManagedDeduplicator> watcher) {
    watchers.add(watcher);
    created.values().forEach(watcher);
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    forEachState(SavedDeduplicator::save);
  }

  /**
   * Saves what was still marked while the application ended, and releases the files. By now all
   * beans that use a deduplicator are gone.
   */
  @Override
  public synchronized void destroy() {
    forEachState(SavedDeduplicator::close);
    remote.forEach(RemoteKeys::close);
  }

  private interface StateAction {
    void accept(SavedDeduplicator<?> state) throws IOException;
  }

  private void forEachState(StateAction action) {
    for (ManagedDeduplicator managed : created.values()) {
      managed
          .state()
          .ifPresent(
              state -> {
                try {
                  action.accept(state);
                } catch (IOException | RuntimeException e) {
                  LOG.error(
                      "The state of the deduplicator '%s' cannot be saved in %s"
                          .formatted(managed.name(), state.file()),
                      e);
                }
              });
    }
  }
}
