package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.DeduplicatorFactory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.ResolvableType;

/** Finds the beans that hold keys. */
final class KeyHolders {
  private static final ResolvableType TYPE =
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
      String shown = name.isEmpty() ? DeduplicatorFactory.DEFAULT : name;
      ReservationStore store = store(name);
      Deduplicator<String> local = store != null ? null : name.isEmpty() ? usual() : named(name);
      DeduplicatorFactory factory = beans.getBean(DeduplicatorFactory.class);
      known =
          new KeyHolder(
              shown,
              store != null ? store : ReservationStore.of(local),
              store != null,
              () -> factory.reservationRejected(shown, local),
              replays());
      found.put(name, known);
    }
    return known;
  }

  /** Returns the store with this name, or null if there is none. */
  private ReservationStore store(String name) {
    String usual = name.isEmpty() ? "reservations" : name + "Reservations";
    for (String bean : beans.getBeanNamesForType(ReservationStore.class)) {
      if (bean.equals(usual)
          || (!name.isEmpty()
              && BeanFactoryAnnotationUtils.isQualifierMatch(name::equals, bean, beans))) {
        return beans.getBean(bean, ReservationStore.class);
      }
    }
    return null;
  }

  /** Returns whether responses are kept. */
  boolean keepsResponses() {
    return replays() != null;
  }

  /** Returns whether calls may wait for a network. */
  boolean isBlocking() {
    return found.values().stream().anyMatch(KeyHolder::isBlocking);
  }

  private Replays replays() {
    if (replays == null) {
      ResponseStore store = beans.getBeanProvider(ResponseStore.class).getIfAvailable();
      replays = Optional.ofNullable(store).map(Replays::new);
    }
    return replays.orElse(null);
  }

  private Deduplicator<String> usual() {
    ObjectProvider<Deduplicator<String>> provider = beans.getBeanProvider(TYPE);
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
    for (String bean : beans.getBeanNamesForType(TYPE)) {
      if (BeanFactoryAnnotationUtils.isQualifierMatch(
          each -> each.equals(name) || each.equals(name + "Deduplicator"), bean, beans)) {
        return (Deduplicator<String>) beans.getBean(bean);
      }
    }
    throw new BadOptionException(
        "Idempotent requests name the deduplicator '%s', but there is no bean Deduplicator<String> of that name."
            .formatted(name),
        "Set unseen.deduplicators.%s.memory, or correct the name.".formatted(name),
        null);
  }
}
