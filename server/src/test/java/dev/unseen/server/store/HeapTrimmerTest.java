package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapTrimmerTest {
  private static final long MIB = 1 << 20;

  private long used; // of the old generation
  private long live;
  private long nanos;
  private int collections;
  private final HeapTrimmer trimmer =
      new HeapTrimmer(256 * MIB, () -> used, this::collect, () -> nanos);

  private void collect() {
    used = live;
    collections++;
  }

  private void passSeconds(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void garbage_is_collected_before_the_heap_outgrows_the_limit() {
    used = 200 * MIB;
    trimmer.makeRoom(50 * MIB);
    assertThat(collections).isZero();
    trimmer.makeRoom(100 * MIB);
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void a_heap_without_garbage_is_not_collected_again_and_again() {
    live = 300 * MIB;
    used = live;
    for (int i = 0; i < 100; i++) {
      trimmer.makeRoom(0);
      passSeconds(60);
      trimmer.tick(200 * MIB);
    }
    assertThat(collections).isLessThanOrEqualTo(2);
  }

  @Test
  void what_was_dropped_is_collected_within_a_minute_and_once() {
    live = 10 * MIB;
    used = 210 * MIB;
    passSeconds(60);
    trimmer.tick(200 * MIB);
    assertThat(collections).as("200 MiB are in use, and some objects").isZero();
    trimmer.tick(0);
    trimmer.tick(0);
    assertThat(collections).isEqualTo(1);
    used = 100 * MIB;
    trimmer.tick(0);
    assertThat(collections).as("the last one was a moment ago").isEqualTo(1);
    passSeconds(30);
    trimmer.tick(0);
    assertThat(collections).isEqualTo(2);
  }
}
