package dev.unseen.cli.plan;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.text.Print;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows how to build a filter: at the shell, and in Java. */
record Recipe(FilterSpec spec) {
  /** Returns the command: {@code unseen --kind bloom --hashes 6 --memory 512M}. */
  String shell() {
    return "unseen --kind %s%s --memory %s"
        .formatted(
            spec.kind().id(),
            details(" ", parameter -> ParameterText.shell(parameter, spec)),
            Print.size(spec.memoryBytes()));
  }

  /** Returns the call of the builder in Java. */
  String java() {
    return """
        Deduplicator.builder(Keys.utf8())
            .memory(%s)
            .kind(FilterKind.%s)%s
            .build();"""
        .formatted(
            memory(),
            spec.kind().name(),
            details("\n    ", parameter -> ParameterText.java(parameter, spec)));
  }

  private String details(String before, Function<Parameter<?>, String> code) {
    return spec.kind().parameters().stream()
        .map(code)
        .filter(text -> !text.isEmpty())
        .map(text -> before + text)
        .collect(Collectors.joining());
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
