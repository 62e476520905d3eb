package dev.unseen;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Specs;
import dev.unseen.filter.Window;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** To ask a gate about a batch is to ask about one hash after the other, also with shards. */
final class GateAskTest {
  private static final int COUNT = 2000;

  @Property(tries = 100)
  void asking_about_a_batch_gives_the_answers_of_one_by_one(Choices choices) {
    FilterKind kind = choices.draw("kind", oneOf(FilterKind.values()));
    boolean sharded = choices.draw("sharded", booleans());
    boolean window = choices.draw("window", booleans()) && kind == FilterKind.RECENCY;
    long streamSeed = choices.draw("streamSeed", longs());
    AtomicLong now = new AtomicLong(1_000_000);
    GateBuilder options =
        Gate.builder()
            .kind(kind)
            .memory(64 << 10)
            .seed(1)
            .clock(() -> Instant.ofEpochMilli(now.get()));
    if (window) {
      options.window(Window.time(Duration.ofSeconds(8)));
    }
    Gate gate = sharded ? options.concurrent().build() : options.build();
    SplitMix64 random = new SplitMix64(streamSeed);
    long[] hashes = Specs.hashes(COUNT, streamSeed);
    for (int at = 0; at < COUNT; ) {
      int count = (int) random.below(Math.min(300, COUNT - at) + 1L);
      now.addAndGet(random.below(2000));
      long[] seen = new long[count / 64 + 1];
      Arrays.fill(seen, -1);
      int duplicates = gate.mightContainAll(hashes, at, count, seen);
      for (int i = 0; i < count; i++) {
        boolean one = gate.mightContain(hashes[at + i]);
        assertThat(((seen[i / 64] >>> i) & 1) != 0).as("hash %d", at + i).isEqualTo(one);
        duplicates -= one ? 1 : 0;
      }
      assertThat(duplicates).isZero();
      gate.admitAll(hashes, at, count, new long[count / 64 + 1]);
      at += count;
    }
    assertThat(gate.records()).as("asking counts no records").isEqualTo(COUNT);
  }
}
