package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.DeduplicatorFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.ResolvableType;

/** Finds the deduplicator beans that hold keys. */
final class KeyHolders {
  private static final ResolvableType TYPE =
      ResolvableType.forClassWithGenerics(Deduplicator.class, String.class);

  private final ListableBeanFactory beans;
  private final Map<String, KeyHolder> found = new ConcurrentHashMap<>();

  KeyHolders(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the deduplicator with this name, or the default one if the name is empty.
   *
   * @throws BadOptionException if there is none
   */
  KeyHolder find(String name) {
    KeyHolder known = found.get(name);
    if (known == null) {
      Deduplicator<String> keys = name.isEmpty() ? usual() : named(name);
      String shown = name.isEmpty() ? DeduplicatorFactory.DEFAULT : name;
      known = new KeyHolder(shown, keys, beans.getBean(DeduplicatorFactory.class));
      found.put(name, known);
    }
    return known;
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
