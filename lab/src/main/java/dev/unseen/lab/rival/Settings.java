package dev.unseen.lab.rival;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;

/** Collects the settings of a family in an arena. */
final class Settings {
  final long memory;
  private final ContestantFamily family;
  private final Arena arena;
  private final Map<String, Setting> all = new LinkedHashMap<>(); // by their parameters

  Settings(ContestantFamily family, Arena arena) {
    this.family = family;
    this.arena = arena;
    this.memory = arena.memoryBytes();
  }

  void add(String parameters, LongFunction<Contestant> factory) {
    add(parameters, Double.NaN, factory);
  }

  /** Adds a setting that users get if they choose nothing but a rate, unless that is NaN. */
  void add(String parameters, double defaultFor, LongFunction<Contestant> factory) {
    if (all.put(parameters, new Setting(family, parameters, factory, defaultFor)) != null) {
      throw new IllegalStateException("two settings have the name '%s'".formatted(parameters));
    }
  }

  /** Adds a setting if its false positive rate, which is known before a run, is worth one. */
  void add(double expectedFpr, String parameters, LongFunction<Contestant> factory) {
    if (arena.wants(expectedFpr)) {
      add(parameters, factory);
    }
  }

  boolean has(String parameters) {
    return all.containsKey(parameters);
  }

  boolean wants(double expectedFpr) {
    return arena.wants(expectedFpr);
  }

  /** Returns the rates to try of structures that are made for a rate. */
  DoubleStream rates() {
    return DoubleStream.of(2e-2, 1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 2e-4, 1e-4, 1e-5)
        .filter(arena::wants);
  }

  List<Setting> all() {
    return List.copyOf(all.values());
  }
}
