package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What was asked for of the filters. Each partition has a filter of its own, so what is for the
 * whole application is divided.
 */
final class FilterRecipe {
  private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

  private final List<Consumer<GateBuilder>> options = new ArrayList<>();
  private final List<Consumer<GateBuilder>> timeLimits = new ArrayList<>();
  private long memory; // 0: not set
  private long expectedKeys; // 0: not set
  private Window window = Window.NONE;

  void add(Consumer<GateBuilder> option) {
    option.accept(Gate.builder()); // refuses what cannot be where it was asked for
    options.add(option);
  }

  /** Adds a limit of times, which does not hold for times that were accepted before. */
  void limitTimes(Consumer<GateBuilder> limit) {
    limit.accept(Gate.builder());
    timeLimits.add(limit);
  }

  void memory(long bytes) {
    add(gate -> gate.memory(bytes));
    memory = bytes;
  }

  void expectedKeys(long keys) {
    add(gate -> gate.expectedKeys(keys));
    expectedKeys = keys;
  }

  void window(Window asked) {
    Objects.requireNonNull(asked, "window is null; Window.NONE is none");
    if (!asked.isNone() && !asked.isTime()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the window is %,d records, and the changelog does not say how many duplicates came between; use a window of time",
              asked.length()));
    }
    add(gate -> gate.window(asked));
    window = asked;
  }

  Window window() {
    return window;
  }

  /** Returns the options of one of several partitions. */
  GateBuilder of(int partitions) {
    GateBuilder gate = withoutLimits(partitions);
    timeLimits.forEach(limit -> limit.accept(gate));
    return gate;
  }

  /** Returns the same options for times that were accepted before, and are believed. */
  GateBuilder toRestore(int partitions) {
    return withoutLimits(partitions).maxTimeAhead(FOR_EVER);
  }

  private GateBuilder withoutLimits(int partitions) {
    GateBuilder gate = Gate.builder();
    options.forEach(option -> option.accept(gate));
    if (memory > 0) {
      gate.memory(memory / partitions);
    }
    if (expectedKeys > 0) {
      gate.expectedKeys((expectedKeys + partitions - 1) / partitions);
    }
    return window.isTime() ? gate.eventTime() : gate;
  }
}
