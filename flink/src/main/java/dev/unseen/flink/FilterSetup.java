package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.ClockState;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Map;

/**
 * What all tasks of a job agree on: the filter, its secret, the rules of time. It is fixed when the
 * job is submitted, and travels as the bytes of a state that holds no shard: the format of states
 * knows how to write a spec, and how to refuse one that it does not understand.
 */
final class FilterSetup implements Serializable {
  private static final long serialVersionUID = 1;

  /** The text of a state by which the operator is found again in a savepoint. */
  static final String UID = "flink.uid";

  private final byte[] emptyState;
  private final boolean eventTime;
  private final Duration maxTimeAhead; // null: as usual
  private final Duration maxTimeJump; // null: any

  private FilterSetup(byte[] emptyState, boolean eventTime, Duration ahead, Duration jump) {
    this.emptyState = emptyState;
    this.eventTime = eventTime;
    this.maxTimeAhead = ahead;
    this.maxTimeJump = jump;
  }

  /**
   * Fixes what was asked for.
   *
   * @param before the state to go on from, whose spec and secret then hold; null: none
   * @throws IllegalArgumentException if something else was asked for than the state has
   */
  static FilterSetup of(
      GateBuilder options,
      Snapshot before,
      String uid,
      boolean eventTime,
      Duration maxTimeAhead,
      Duration maxTimeJump) {
    Snapshot empty =
        before == null
            ? noShards(options.spec())
            : noShards(before.spec())
                .withMaxFpr(before.maxFpr())
                .withKeyForm(before.keyForm())
                .with(new ClockState(before.clock().basis(), ClockState.NEVER, 0, 0));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      options.restore(empty).save(bytes, Map.of(UID, uid));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file
    }
    return new FilterSetup(bytes.toByteArray(), eventTime, maxTimeAhead, maxTimeJump);
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
      throw new UncheckedIOException(e); // there is no file
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

  /** Returns a gate that goes on from a state. */
  Gate gate(Snapshot state) {
    GateBuilder options = Gate.builder();
    if (eventTime) {
      options.eventTime();
    }
    if (maxTimeAhead != null) {
      options.maxTimeAhead(maxTimeAhead);
    }
    if (maxTimeJump != null) {
      options.maxTimeJump(maxTimeJump);
    }
    return options.restore(state);
  }

  /** Returns whether a window of time goes by the timestamps of records. */
  boolean isEventTime() {
    return eventTime && spec().window().isTime();
  }

  FilterSpec spec() {
    return noShards().spec();
  }

  /** Returns the hash of keys, with the secret of the job. */
  Hash64 hash() {
    return spec().keyHash();
  }
}
