package dev.unseen.cli.plan;

import dev.unseen.filter.FilterSpec;
import java.util.Locale;

/** How to build a filter: at the shell, and in Java. */
record Recipe(FilterSpec spec) {
  /** {@code unseen --kind bloom --hashes 6 --memory 512M}. */
  String shell() {
    return "unseen --kind %s --hashes %d --memory %s"
        .formatted(spec.kind().id(), spec.hashes(), size("%d%s", "%d"));
  }

  /** The same by the builder. */
  String java() {
    return """
        Deduplicator.builder(Keys.utf8())
            .memory(%s)
            .kind(FilterKind.%s)
            .hashes(%d)
            .build();"""
        .formatted(
            spec.memoryBytes() % 1024 == 0 ? size("%2$siB(%1$d)", "%d") : bytes(),
            spec.kind().name(),
            spec.hashes());
  }

  private String bytes() {
    return spec.memoryBytes() + (spec.memoryBytes() > Integer.MAX_VALUE ? "L" : "");
  }

  /** In the largest of K, M and G that gives a whole number, or in bytes. */
  private String size(String withUnit, String inBytes) {
    String units = "GMK";
    for (int i = 0; i < units.length(); i++) {
      long unit = 1L << (10 * (units.length() - i));
      if (spec.memoryBytes() % unit == 0) {
        return String.format(
            Locale.ROOT, withUnit, spec.memoryBytes() / unit, units.substring(i, i + 1));
      }
    }
    return String.format(Locale.ROOT, inBytes, spec.memoryBytes());
  }
}
