package dev.unseen.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.monitor.Metrics;
import dev.unseen.server.store.ServerClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the machine is set while the server runs. */
class ClockTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DECADES = Duration.ofDays(74 * 365).toMillis();

  @TempDir Path directory;

  private final AtomicLong elapsed = new AtomicLong();
  private final AtomicLong apart = new AtomicLong();

  private ServerClock clock() {
    return new ServerClock(
        () -> Instant.ofEpochMilli(1_800_000_000_000L + elapsed.get() + apart.get()),
        () -> TimeUnit.MILLISECONDS.toNanos(elapsed.get()));
  }

  /** Lets time pass a second at a time; returns how much the clock moved. */
  private long pass(ServerClock clock, long seconds) {
    long begin = clock.millis();
    long before = begin;
    for (long i = 0; i < seconds; i++) {
      elapsed.addAndGet(1000);
      long now = clock.millis();
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = now;
      clock.check();
    }
    return clock.millis() - begin;
  }

  @Test
  void time_never_goes_backwards_and_does_not_stand_still_when_the_clock_is_set_back() {
    ServerClock clock = clock();
    pass(clock, 10);
    apart.set(-HOUR);
    assertThat(pass(clock, 600)).isBetween(500_000L, 600_000L);
    assertThat(clock.jumps()).isEqualTo(1);
    assertThat(pass(clock, 11 * 3600)).as("an hour less").isLessThanOrEqualTo(10 * HOUR + 60_000);
    assertThat(clock.millis()).isEqualTo(1_800_000_000_000L + elapsed.get() - HOUR);
  }

  @Test
  void a_clock_that_is_wrong_for_a_moment_changes_nothing() {
    ServerClock clock = clock();
    pass(clock, 10);
    apart.set(DECADES);
    assertThat(pass(clock, 30)).isEqualTo(30_000);
    apart.set(0);
    assertThat(pass(clock, 3600)).isEqualTo(HOUR);
    assertThat(clock.jumps()).isPositive();
  }

  /** The server starts with a clock of the year 2100, which is right when it starts again. */
  @ParameterizedTest
  @ValueSource(strings = {"SAVE", "NOSAVE"})
  void items_of_a_clock_that_was_far_ahead_are_kept_for_a_window(String save) throws IOException {
    long now = System.currentTimeMillis();
    String[] args = {"--dir", directory.toString()};
    try (TestServer server = new TestServer(now + DECADES, args);
        RawClient client = server.client()) {
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("+OK");
      client.say("BF.RESERVE f 0.001 1000 WINDOW 1h");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      client.send(RawClient.request("SHUTDOWN", save));
      assertThat(client.isClosed()).isTrue();
    }
    try (TestServer server = new TestServer(now, args);
        RawClient client = server.client()) {
      if (save.equals("NOSAVE")) {
        assertThat(server.server().startupMessages())
            .anyMatch(line -> line.startsWith("2 items of the journal have times more than a day"));
      }
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("nil");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
      assertThat(client.say("BF.ADD f b")).isEqualTo(":1");
      server.pass(2 * HOUR);
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("+OK");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
    }
  }

  @Test
  void keys_expire_by_elapsed_time_and_the_jump_is_reported() throws IOException {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("+OK");
      client.say("BF.RESERVE f 0.001 1000 WINDOW 1h");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      server.setClock(DECADES);
      server.pass(2000);
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("nil");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
      server.setClock(0);
      server.pass(2000);
      assertThat(client.say("BF.ADD f b")).as("a key that is new").isEqualTo(":1");
      server.pass(2 * HOUR);
      assertThat(client.say("SET a 1 NX EX 3600")).isEqualTo("+OK");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      assertThat(client.say("INFO server")).contains("clock_jumps:1");
      assertThat(Metrics.text(server.server().commands().context(), true))
          .contains("unseen_server_clock_jumps_total 1");
    }
  }
}
