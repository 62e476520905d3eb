package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.OnChange;
import dev.unseen.Option;
import dev.unseen.error.OptionException;
import dev.unseen.filter.Window;
import java.time.Duration;

/**
 * The options of the filters. Each partition has its own filter, so the memory and the expected
 * keys of the application are divided.
 *
 * @param config the options of the application
 * @param keyForm the form of the keys
 */
record PartitionOptions(GateConfig config, KeyForm keyForm) {
  private static final Duration UNLIMITED = Duration.ofMillis(Long.MAX_VALUE / 2);

  /** Rejects a window of records. */
  PartitionOptions {
    Window window = config.get(Option.WINDOW, Window.NONE);
    if (!window.isNone() && !window.isTime()) {
      throw OptionException.outOfRange(
          "window",
          window.text() + " records",
          "a time: the changelog does not say how many duplicates came in between");
    }
  }

  Window window() {
    return config.get(Option.WINDOW, Window.NONE);
  }

  /** Returns the options of one of several partitions. */
  GateBuilder of(int partitions) {
    GateBuilder gate = Gate.builder().config(config).keyForm(keyForm);
    config.get(Option.MEMORY).ifPresent(bytes -> gate.memory(bytes / partitions));
    config
        .get(Option.EXPECTED_KEYS)
        .ifPresent(keys -> gate.expectedKeys((keys + partitions - 1) / partitions));
    return window().isTime() ? gate.eventTime() : gate;
  }

  /** Returns the same options for records that were admitted before. */
  GateBuilder toRestore(int partitions) {
    return new PartitionOptions(config.without(Option.LATE_RECORDS), keyForm)
        .of(partitions)
        .maxTimeAhead(UNLIMITED)
        .maxTimeJump(UNLIMITED);
  }

  /** Returns whether options may differ from those of the changelog. */
  boolean mayGrow() {
    return config.get(Option.ON_CHANGE, OnChange.REJECT) == OnChange.GROW;
  }

  /** Returns the same options, which may differ from those of the changelog. */
  PartitionOptions growing() {
    return new PartitionOptions(config.with(Option.ON_CHANGE, OnChange.GROW), keyForm);
  }

  /** Returns the same options, which may not differ from those of the changelog. */
  PartitionOptions rejecting() {
    return new PartitionOptions(config.with(Option.ON_CHANGE, OnChange.REJECT), keyForm);
  }
}
