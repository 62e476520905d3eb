package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.LockedShard;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A copy into memory that an earlier copy has used is the state, to the bit. */
class CopiedStateTest {
  static Stream<Arguments> gates() {
    return Stream.of(FilterKind.values())
        .flatMap(
            kind ->
                Stream.of(
                    Arguments.of(kind + "", Gate.builder().kind(kind)),
                    Arguments.of(kind + " in shards", Gate.builder().kind(kind).concurrent())))
        .flatMap(
            each ->
                each.get()[0].toString().startsWith("recency")
                    ? Stream.of(each, windowed(each))
                    : Stream.of(each));
  }

  private static Arguments windowed(Arguments like) {
    GateBuilder options = Gate.builder().window(Window.time(Duration.ofMinutes(1))).eventTime();
    boolean sharded = like.get()[0].toString().contains("shards");
    return Arguments.of(like.get()[0] + ", windowed", sharded ? options.concurrent() : options);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("gates")
  void is_the_state_to_the_bit(String name, GateBuilder options) throws IOException {
    Gate gate = options.memory(1 << 17).seed(1).audit(AuditSpec.oneIn(64)).build();
    SplittableRandom random = new SplittableRandom(2);
    Snapshot copy = null;
    long time = 1_000_000;
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 20_000; i++) { // from nearly empty to full, and on
        gate.admit(random.nextLong(), time += 7);
      }
      copy = gate.copyState(copy);
      List<Object> copied = content(copy);
      assertThat(copied).isEqualTo(content(gate.snapshot(gate.metadata())));
      for (int i = 0; i < 1000; i++) {
        gate.admit(random.nextLong(), time);
      }
      assertThat(content(copy)).as("it stays as it is").isEqualTo(copied);
    }
  }

  /** All numbers and words of a state, in order. */
  private static List<Object> content(Snapshot state) throws IOException {
    List<Object> all = new ArrayList<>(List.of(state.records(), state.admitted(), state.clock()));
    StateVisitor visitor =
        new StateVisitor() {
          @Override
          public long number(String name, long value, long min, long max) {
            all.add(value);
            return value;
          }

          @Override
          public double real(String name, double value, double min, double max) {
            all.add(value);
            return value;
          }

          @Override
          public void words(Words storage, StorageCheck check) {
            for (long i = 0; i < storage.length(); i++) {
              all.add(storage.chunk(i)[Words.inChunk(i)]);
            }
          }
        };
    if (state.filter() instanceof ShardedFilter sharded) {
      for (LockedShard shard : sharded.shards()) {
        shard.state(visitor);
      }
    } else {
      ((Stateful) state.filter()).state(visitor);
    }
    state.audit().orElseThrow().state(visitor);
    return all;
  }
}
