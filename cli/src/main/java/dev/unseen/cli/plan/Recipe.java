package dev.unseen.cli.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.text.Print;

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
        .formatted(spec.kind().id(), details, Print.size(spec.memoryBytes()));
  }

  private boolean refreshes() {
    return spec.refresh() == Refresh.ALWAYS;
  }

  private String rate() {
    return Print.share(spec.maxFpr());
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
    long bytes = spec.memoryBytes();
    String size = Print.size(bytes);
    if (Character.isDigit(size.charAt(size.length() - 1))) {
      return bytes > Integer.MAX_VALUE ? size + "L" : size;
    }
    if (size.endsWith("T")) {
      return "GiB(%d)".formatted(bytes >> 30); // Memory has no larger unit
    }
    int unit = size.length() - 1;
    return "%siB(%s)".formatted(size.substring(unit), size.substring(0, unit));
  }
}
