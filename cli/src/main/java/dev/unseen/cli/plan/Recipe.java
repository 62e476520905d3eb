package dev.unseen.cli.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import java.util.Locale;

/** How to build a filter: at the shell, and in Java. */
record Recipe(FilterSpec spec) {
  /** {@code unseen --kind bloom --hashes 6 --memory 512M}. */
  String shell() {
    String details =
        switch (spec.kind()) {
          case RECENCY -> " --max-fpr " + rate() + (refreshes() ? " --refresh" : "");
          case SAMPLED -> " --share %s --hashes %d".formatted(spec.share(), spec.hashes());
          default -> " --hashes " + spec.hashes();
        };
    return "unseen --kind %s%s --memory %s"
        .formatted(spec.kind().id(), details, size("%d%s", "%d"));
  }

  private boolean refreshes() {
    return spec.refresh() == Refresh.ALWAYS;
  }

  private String rate() {
    return Double.toString(spec.maxFpr()).replace(".0E", "e");
  }

  /** The same by the builder. */
  String java() {
    if (spec.kind() == FilterKind.SAMPLED) {
      return """
          Deduplicator.builder(Keys.utf8())
              .build(
                  FilterSpec.builder(FilterKind.SAMPLED, %s)
                      .share(%s)
                      .hashes(%d)
                      .build());"""
          .formatted(memory(), spec.share(), spec.hashes());
    }
    return """
        Deduplicator.builder(Keys.utf8())
            .memory(%s)
            .kind(FilterKind.%s)%s
            .build();"""
        .formatted(memory(), spec.kind().name(), details());
  }

  private String details() {
    String hashes = "\n    .hashes(%d)".formatted(spec.hashes());
    return switch (spec.kind()) {
      case RECENCY ->
          "\n    .maxFalsePositiveRate(%s)".formatted(rate())
              + (refreshes() ? "\n    .refresh(Refresh.ALWAYS)" : "");
      default -> hashes;
    };
  }

  private String memory() {
    return spec.memoryBytes() % 1024 == 0 ? size("%2$siB(%1$d)", "%d") : bytes();
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
