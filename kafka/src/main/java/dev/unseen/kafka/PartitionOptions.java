package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
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
    GateConfig share = config;
    if (config.has(Option.MEMORY)) {
      share = share.with(Option.MEMORY, config.get(Option.MEMORY, 0L) / partitions);
    }
    if (config.has(Option.EXPECTED_KEYS)) {
      long keys = config.get(Option.EXPECTED_KEYS, 0L);
      share = share.with(Option.EXPECTED_KEYS, (keys + partitions - 1) / partitions);
      share = withMemoryOf(share);
    }
    return gate(share);
  }

  /**
   * Replaces the expected keys by the memory that they need. A head is a filter without shards,
   * which core would mistake for one that is divided, and needs more memory for the same keys.
   */
  private GateConfig withMemoryOf(GateConfig share) {
    GateConfig sized = share.with(Option.MEMORY, gate(share).spec().memoryBytes());
    return share.get(Option.KIND, FilterKind.RECENCY) == FilterKind.BLOOM
        ? sized // which chooses its number of hashes by the keys
        : sized.without(Option.EXPECTED_KEYS);
  }

  private GateBuilder gate(GateConfig share) {
    GateBuilder gate = Gate.builder().config(share).keyForm(keyForm).rehashing();
    return window().isTime() ? gate.eventTime() : gate;
  }

  /** Returns the same options for records that were admitted before. */
  GateBuilder toRestore(int partitions) {
    return new PartitionOptions(config.without(Option.LATE_RECORDS), keyForm)
        .of(partitions)
        .maxTimeAhead(UNLIMITED)
        .maxTimeJump(UNLIMITED);
  }

  /** Returns the same options with the hashes of a spec. */
  PartitionOptions hashingLike(FilterSpec spec) {
    GateConfig hashing =
        config.without(Option.SECRET).without(Option.SEED).with(Option.HASH, spec.hash());
    return new PartitionOptions(
        spec.secret().isPresent()
            ? hashing.with(Option.SECRET, spec.secret().get())
            : hashing.with(Option.SEED, spec.seed()),
        keyForm);
  }

  /** Returns whether options may differ from those of the changelog. */
  boolean mayGrow() {
    return config.get(Option.ON_CHANGE, OnChange.REJECT) == OnChange.GROW;
  }

  /** Returns the same options, which may or may not differ from those of the changelog. */
  PartitionOptions with(OnChange action) {
    return new PartitionOptions(config.with(Option.ON_CHANGE, action), keyForm);
  }
}
