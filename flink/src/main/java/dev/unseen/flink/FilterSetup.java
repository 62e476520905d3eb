package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.Map;

/**
 * What all tasks of a job agree on: the filter, its secret, and the options of a running gate. It
 * is fixed when the job is submitted. The filter is serialized as a state that holds no shard: the
 * format of states knows how to write a spec, and rejects one that it does not understand.
 */
final class FilterSetup implements Serializable {
  private static final long serialVersionUID = 1;

  /** The text of a state by which the operator is found again in a savepoint. */
  static final String UID = "flink.uid";

  private final byte[] emptyState;
  private final GateConfig runtime; // the options that no state contains

  private FilterSetup(byte[] emptyState, GateConfig runtime) {
    this.emptyState = emptyState;
    this.runtime = runtime;
  }

  /**
   * Fixes the options.
   *
   * @param before the state to continue from, whose spec and secret are then used; null: none
   * @throws IllegalArgumentException if an option differs from that of the state
   */
  static FilterSetup of(GateConfig config, KeyForm keyForm, Snapshot before, String uid) {
    GateBuilder options = Gate.builder().config(config).concurrent().keyForm(keyForm);
    Snapshot empty =
        before == null
            ? noShards(options.spec())
            : noShards(before.spec())
                .withMaxFpr(before.maxFpr())
                .withKeyForm(before.keyForm())
                .with(new ClockState(before.clock().basis(), ClockState.NEVER, 0));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      options.restore(empty).save(bytes, Map.of(UID, uid));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
    return new FilterSetup(bytes.toByteArray(), config.runtime());
  }

  private static Snapshot noShards(FilterSpec spec) {
    return Snapshot.of(ShardedFilter.of(spec, new int[0]), 0, 0);
  }

  /** Returns a state that holds no shard yet. */
  Snapshot noShards() {
    try {
      return Snapshot.read(
          Channels.newChannel(new ByteArrayInputStream(emptyState)), "the job's filter");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
  }

  /** Returns a state that holds these shards, with nothing in them. */
  Snapshot emptyShards(int[] shards) {
    Snapshot none = noShards();
    return Snapshot.of(ShardedFilter.of(none.spec(), shards), 0, 0)
        .withMaxFpr(none.maxFpr())
        .withKeyForm(none.keyForm())
        .with(none.metadata());
  }

  /** Returns a gate that continues from a state. */
  Gate gate(Snapshot state) {
    return Gate.builder().config(runtime).restore(state);
  }

  /** Returns whether a window of time uses the timestamps of records. */
  boolean isEventTime() {
    return runtime.get(Option.EVENT_TIME, false) && spec().window().isTime();
  }

  FilterSpec spec() {
    return noShards().spec();
  }

  /** Returns the hash of keys, with the secret of the job. */
  Hash64 hash() {
    return spec().keyHash();
  }
}
