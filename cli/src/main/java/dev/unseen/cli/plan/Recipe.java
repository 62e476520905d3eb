package dev.unseen.cli.plan;

import dev.unseen.commands.GateArguments;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows how to build a filter: at the shell, and in Java. */
record Recipe(FilterSpec spec) {
  /** The parameters that have an option of the command. */
  private static final Set<Parameter<?>> OPTIONS =
      Set.of(Parameter.HASHES, Parameter.MAX_FPR, Parameter.WINDOW, Parameter.SHARE);

  /** Returns the command: {@code unseen --kind bloom --hashes 6 --memory 512M}. */
  String shell() {
    return "unseen --kind %s%s --memory %s"
        .formatted(
            spec.kind().id(),
            each(" ", "", parameter -> option(parameter)),
            Print.size(spec.memoryBytes()));
  }

  /** Returns the call of the builder in Java. */
  String java() {
    return """
        Deduplicator.builder(Keys.utf8())
            .memory(%s)
            .kind(FilterKind.%s)%s
            .build();"""
        .formatted(memory(), spec.kind().name(), each("\n    ", "", parameter -> call(parameter)));
  }

  /** Returns the settings other than k, for a table; empty if there are none. */
  String remarks() {
    return each("", ", ", parameter -> remark(parameter));
  }

  private String each(String before, String between, Function<Parameter<?>, String> shown) {
    return spec.kind().parameters().stream()
        .map(shown)
        .filter(text -> !text.isEmpty())
        .map(text -> before + text)
        .collect(Collectors.joining(between));
  }

  /** Returns the option of a parameter; empty if there is none or {@link Window#NONE} is set. */
  <T> String option(Parameter<T> parameter) {
    T value = spec.get(parameter);
    if (parameter == Parameter.REFRESH) {
      return value == Refresh.ALWAYS ? "--refresh" : value == Refresh.NEVER ? "--no-refresh" : "";
    }
    boolean none = !OPTIONS.contains(parameter) || value.equals(Window.NONE);
    return none ? "" : GateArguments.name(parameter.name()) + " " + parameter.text(value);
  }

  /** Returns the builder call that sets a parameter. It is empty for most defaults. */
  String call(Parameter<?> parameter) {
    Object value = spec.get(parameter);
    if (parameter == Parameter.HASHES) {
      return ".hashes(" + value + ")";
    }
    if (parameter == Parameter.MAX_FPR) {
      return ".maxFalsePositiveRate(" + Print.share(spec.get(Parameter.MAX_FPR)) + ")";
    }
    if (parameter != Parameter.SHARE && value.equals(parameter.usual(spec.kind()))) {
      return "";
    }
    String constant = parameter.name().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    return parameter == Parameter.REFRESH
        ? ".refresh(Refresh." + value + ")"
        : ".set(Option.%s, %s)".formatted(constant, value);
  }

  private String remark(Parameter<?> parameter) {
    if (parameter == Parameter.MAX_FPR) {
      return "FPR at most " + Print.rate(spec.get(Parameter.MAX_FPR));
    }
    return parameter == Parameter.SHARE
        ? Print.percent(spec.get(Parameter.SHARE), 2) + " of the keys"
        : "";
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
