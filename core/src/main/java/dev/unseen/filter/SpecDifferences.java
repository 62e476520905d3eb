package dev.unseen.filter;

import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.hash.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lists the differences between two specs. */
final class SpecDifferences {
  private final FilterSpec here;
  private final FilterSpec there;
  private final List<Difference> differences = new ArrayList<>();

  private SpecDifferences(FilterSpec here, FilterSpec there) {
    this.here = here;
    this.there = there;
  }

  static List<Difference> between(FilterSpec here, FilterSpec there) {
    return new SpecDifferences(here, there).all();
  }

  private List<Difference> all() {
    if (here.kind() != there.kind()) {
      add("kind", here.kind().id(), there.kind().id());
    }
    if (here.memoryBytes() != there.memoryBytes()) {
      add(
          "memory",
          String.format(Locale.ROOT, "%,d", here.memoryBytes()),
          String.format(Locale.ROOT, "%,d bytes", there.memoryBytes()));
    }
    if (here.hash() != there.hash()) {
      add("hash", here.hash().id(), there.hash().id());
    }
    if (!here.secret().equals(there.secret())) {
      add("secret", fingerprint(here), fingerprint(there));
    } else if (here.seed() != there.seed()) {
      boolean hidden = here.hash().isKeyed() || there.hash().isKeyed();
      add(
          "seed",
          hidden ? "a hidden one" : Long.toString(here.seed()),
          hidden ? "another" : Long.toString(there.seed()));
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
    differences.add(new Difference(name, one, other));
  }
}
