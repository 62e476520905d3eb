package dev.unseen.filter;

import dev.unseen.hash.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists the differences between two specs. */
final class SpecDifferences {
  private final FilterSpec here;
  private final FilterSpec there;
  private final List<String> differences = new ArrayList<>();

  private SpecDifferences(FilterSpec here, FilterSpec there) {
    this.here = here;
    this.there = there;
  }

  static List<String> between(FilterSpec here, FilterSpec there) {
    return new SpecDifferences(here, there).all();
  }

  private List<String> all() {
    if (here.kind() != there.kind()) {
      add("kind", here.kind().id(), there.kind().id());
    }
    if (here.memoryBytes() != there.memoryBytes()) {
      differences.add(
          String.format(
              Locale.ROOT, "memory: %,d and %,d bytes", here.memoryBytes(), there.memoryBytes()));
    }
    if (here.hash() != there.hash()) {
      add("hash", here.hash().id(), there.hash().id());
    }
    if (!here.secret().equals(there.secret())) {
      add("secret", fingerprint(here), fingerprint(there));
    } else if (here.seed() != there.seed()) {
      boolean hidden = here.hash().isKeyed() || there.hash().isKeyed();
      differences.add(hidden ? "seed" : "seed: %d and %d".formatted(here.seed(), there.seed()));
    }
    if (here.kind() == there.kind()) {
      Parameter.all().forEach(this::compare);
    }
    return differences;
  }

  private static String fingerprint(FilterSpec spec) {
    return spec.secret().map(Secret::fingerprint).orElse("none");
  }

  private <T> void compare(Parameter<T> parameter) {
    T one = here.get(parameter);
    T other = there.get(parameter);
    if (!one.equals(other)) {
      add(parameter.name(), parameter.text(one), parameter.text(other));
    }
  }

  private void add(String name, String one, String other) {
    differences.add("%s: %s and %s".formatted(name, one, other));
  }
}
