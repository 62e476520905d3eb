package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.DeduplicatorFactory;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.ResolvableType;

/** Finds the beans that hold keys. */
final class KeyHolders {
  private static final ResolvableType STORE = ResolvableType.forClass(ReservationStore.class);
  private static final ResolvableType DEDUPLICATOR =
      ResolvableType.forClassWithGenerics(Deduplicator.class, String.class);

  private final ListableBeanFactory beans;
  private final Map<String, KeyHolder> found = new ConcurrentHashMap<>();
  private volatile Optional<Replays> replays; // null: nobody has asked for it

  KeyHolders(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the holder with this name, or the default one if the name is empty.
   *
   * @throws BadOptionException if there is none
   */
  KeyHolder find(String name) {
    KeyHolder known = found.get(name);
    if (known == null) {
      known = create(name);
      found.put(name, known);
    }
    return known;
  }

  private KeyHolder create(String name) {
    boolean usual = name.isEmpty();
    String shown = usual ? DeduplicatorFactory.DEFAULT : name;
    Set<String> stores = usual ? Set.of("reservations") : Set.of(name, name + "Reservations");
    ReservationStore store = (ReservationStore) bean(STORE, stores);
    Deduplicator<String> local = store != null ? null : usual ? usual() : named(name);
    DeduplicatorFactory factory = beans.getBean(DeduplicatorFactory.class);
    return new KeyHolder(
        shown,
        store != null ? store : ReservationStore.of(local),
        store != null,
        () -> factory.reservationRejected(shown, local),
        replays());
  }

  /** Returns the bean of a type that has one of these names or qualifiers, or null. */
  private Object bean(ResolvableType type, Set<String> names) {
    for (String bean : beans.getBeanNamesForType(type)) {
      if (BeanFactoryAnnotationUtils.isQualifierMatch(names::contains, bean, beans)) {
        return beans.getBean(bean);
      }
    }
    return null;
  }

  private Deduplicator<String> usual() {
    ObjectProvider<Deduplicator<String>> provider = beans.getBeanProvider(DEDUPLICATOR);
    Deduplicator<String> one = provider.getIfUnique();
    if (one == null) {
      throw new BadOptionException(
          "Idempotent requests need one default bean of type Deduplicator<String>, but the application has %s."
              .formatted(provider.stream().count() == 0 ? "none" : "several"),
          "Mark one of them with @Primary, or name one: @Idempotent(deduplicator = \"...\").",
          null);
    }
    return one;
  }

  @SuppressWarnings("unchecked") // its type was looked at
  private Deduplicator<String> named(String name) {
    Object local = bean(DEDUPLICATOR, Set.of(name, name + "Deduplicator"));
    if (local == null) {
      throw new BadOptionException(
          "Idempotent requests name the deduplicator '%s', but there is no bean Deduplicator<String> of that name."
              .formatted(name),
          "Set unseen.deduplicators.%s.memory, or correct the name.".formatted(name),
          null);
    }
    return (Deduplicator<String>) local;
  }

  boolean keepsResponses() {
    return replays() != null;
  }

  private Replays replays() {
    if (replays == null) {
      ResponseStore store = beans.getBeanProvider(ResponseStore.class).getIfAvailable();
      replays = Optional.ofNullable(store).map(Replays::new);
    }
    return replays.orElse(null);
  }

  /** Returns whether calls may wait for a network. */
  boolean isBlocking() {
    return found.values().stream().anyMatch(KeyHolder::isBlocking);
  }
}
