package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.clock.ClockState;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all tasks of a job agree on: the options, and the filter of a job that starts empty, with
 * its secret. A state to resume from takes precedence. The filter is serialized as a state that
 * holds no shard: the format of states knows how to write a spec, and rejects one that it does not
 * understand.
 */
final class FilterSetup implements Serializable {
  private static final long serialVersionUID = 3;

  /** The text of a state by which the operator is found again in a savepoint. */
  static final String UID = "flink.uid";

  private final byte[] first; // null: there has to be a state to resume from
  private final String missing; // why there is none
  private final GateConfig config;
  private final String keyForm;
  private String uid = "";

  private FilterSetup(byte[] first, String missing, GateConfig config, KeyForm keyForm) {
    this.first = first;
    this.missing = missing;
    this.config = config;
    this.keyForm = keyForm.text();
  }

  /**
   * Fixes the options.
   *
   * @param before the initial state, whose options and secret are used where none are set; null:
   *     none
   * @throws IllegalArgumentException if an option differs from that of the state, and {@code
   *     onChange} does not allow it, or if the options do not fit together
   */
  static FilterSetup of(GateConfig config, KeyForm keyForm, Snapshot before) {
    GateBuilder options = options(config, keyForm);
    Gate gate = options.restore(before == null ? noShards(options.spec()) : noShards(before));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      gate.snapshot(Map.of()).withPredecessors(List.of()).write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
    return new FilterSetup(bytes.toByteArray(), "", config, keyForm);
  }

  /**
   * Fixes the options of a job that has a state to resume from, which no one has read yet.
   *
   * @param missing the message if it has none
   */
  static FilterSetup resumed(GateConfig config, KeyForm keyForm, String missing) {
    return new FilterSetup(null, missing, config, keyForm);
  }

  /** Sets the uid of the operator. */
  void uid(String name) {
    uid = name;
  }

  private static GateBuilder options(GateConfig config, KeyForm keyForm) {
    return Gate.builder().config(config).concurrent().keyForm(keyForm);
  }

  private GateBuilder options() {
    return options(config, KeyForm.of(keyForm));
  }

  private static Snapshot noShards(FilterSpec spec) {
    return Snapshot.of(ShardedFilter.of(spec, new int[0]), 0, 0);
  }

  private static Snapshot noShards(Snapshot like) {
    return noShards(like.spec())
        .withMaxFpr(like.maxFpr())
        .withKeyForm(like.keyForm())
        .with(new ClockState(like.clock().basis(), ClockState.NEVER, 0));
  }

  /**
   * Returns the filter of a job that starts empty, as a state that holds no shard.
   *
   * @throws JobRejectedException if the job has to resume from a state
   */
  byte[] first() {
    if (first == null) {
      throw new JobRejectedException(
          "the checkpoint or savepoint has no state of this deduplication, and it cannot start empty: "
              + missing,
          null);
    }
    return first;
  }

  /** Reads what {@link #first} returns. */
  static Snapshot read(byte[] noShards) {
    try {
      return Snapshot.read(
          Channels.newChannel(new ByteArrayInputStream(noShards)), "the job's filter");
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
  }

  /** Returns a state that holds these shards, with nothing in them. */
  Snapshot emptyShards(int[] shards) {
    Snapshot none = read(first());
    return Snapshot.of(ShardedFilter.of(none.spec(), shards), 0, 0)
        .withMaxFpr(none.maxFpr())
        .withKeyForm(none.keyForm());
  }

  /** Returns a state with the text by which the operator is found again in a savepoint. */
  private Snapshot named(Snapshot state) {
    Map<String, String> texts = new TreeMap<>(state.metadata());
    texts.put(UID, uid);
    return state.with(texts);
  }

  /**
   * Returns the spec of a gate that continues from a state, without allocating its memory.
   *
   * @throws DifferentOptionsException if an option differs from that of the state, and {@code
   *     onChange} does not allow it
   */
  FilterSpec specAfter(Snapshot state) {
    return options().restore(noShards(state)).spec();
  }

  /** Returns a gate that continues from a state. Its filter is a new one if options differ. */
  Gate gate(Snapshot state) {
    return options().restore(named(state));
  }

  /** Returns whether a window of time uses the timestamps of records. */
  boolean isEventTime(FilterSpec spec) {
    return config.get(Option.EVENT_TIME, false) && spec.window().isTime();
  }

  /** Returns the spec of a job that starts empty. */
  FilterSpec spec() {
    return read(first()).spec();
  }
}
