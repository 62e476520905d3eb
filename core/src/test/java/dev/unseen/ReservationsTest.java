package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Reservation.Status.DUPLICATE;
import static dev.unseen.Reservation.Status.GRANTED;
import static dev.unseen.Reservation.Status.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReservationsTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5 * SECOND); // about to overflow

  private DeduplicatorBuilder<String> builder(boolean concurrent) {
    DeduplicatorBuilder<String> builder =
        Deduplicator.builder(Keys.utf8()).seed(0).memory(KiB(64)).ticker(nanos::get);
    return concurrent ? builder.concurrent() : builder;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void at_the_limit_only_a_key_that_needs_a_place_is_rejected(boolean concurrent) {
    Deduplicator<String> dedup =
        builder(concurrent).maxReservations(2).reservationTimeout(Duration.ofSeconds(10)).build();
    dedup.admit("known");
    Reservation a = dedup.reserve("a");
    dedup.reserve("b");
    assertThat(dedup.reserve("known").status()).isEqualTo(DUPLICATE);
    assertThat(dedup.reserve("a").status()).isEqualTo(IN_FLIGHT);
    assertThat(dedup.records()).as("the duplicate is counted").isEqualTo(2);
    assertThatThrownBy(() -> dedup.reserve("c"))
        .isInstanceOf(ReservationLimitException.class)
        .hasMessageStartingWith("2 keys are reserved already, which is the limit");
    assertThat(dedup.mightContain("c")).isFalse();
    assertThat(dedup.records()).as("nothing else is").isEqualTo(2);
    a.rollback();
    assertThat(dedup.reserve("c").status()).isEqualTo(GRANTED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reservations_that_have_timed_out_make_room(boolean concurrent) {
    Deduplicator<String> dedup =
        builder(concurrent).maxReservations(2).reservationTimeout(Duration.ofSeconds(10)).build();
    dedup.reserve("a");
    dedup.reserve("b");
    nanos.addAndGet(10 * SECOND - 1);
    assertThatThrownBy(() -> dedup.reserve("c")).isInstanceOf(ReservationLimitException.class);
    nanos.incrementAndGet();
    assertThat(dedup.reserve("a").status()).as("it needs no new place").isEqualTo(GRANTED);
    assertThatThrownBy(() -> dedup.reserve("c"))
        .as("a search was made a nanosecond ago")
        .isInstanceOf(ReservationLimitException.class);
    nanos.addAndGet(SECOND);
    assertThat(dedup.reserve("c").status()).isEqualTo(GRANTED);
    assertThat(dedup.reserve("a").status()).isEqualTo(IN_FLIGHT);
    assertThat(dedup.report().inFlight()).isEqualTo(2);
  }

  /** The clock is read several times; the key leaves its window at one of these moments. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void whatever_is_granted_can_be_rolled_back(int readings) {
    for (boolean concurrent : new boolean[] {false, true}) {
      long window = 60_000;
      AtomicLong time = new AtomicLong(1_800_000_000_000L);
      AtomicLong left = new AtomicLong(Long.MAX_VALUE);
      Deduplicator<String> dedup =
          builder(concurrent)
              .window(Window.time(Duration.ofMillis(window)))
              .clock(
                  () ->
                      Instant.ofEpochMilli(
                          time.get() + (left.decrementAndGet() < 0 ? 2 * window : 0)))
              .build();
      dedup.admit("order");
      time.addAndGet(window - 1);
      left.set(readings);
      Reservation reservation = dedup.reserve("order");
      left.set(-1);
      if (reservation.status() == GRANTED) {
        reservation.rollback();
      }
      Reservation retry = dedup.reserve("order");
      assertThat(retry.status()).as("the work was not done").isEqualTo(GRANTED);
      assertThat(retry.commit()).isTrue();
      assertThat(dedup.reserve("order").status()).isEqualTo(DUPLICATE);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000})
  void a_clock_that_is_set_neither_ends_nor_prolongs_a_reservation(long step) {
    AtomicLong time = new AtomicLong(1_800_000_000_000L);
    Deduplicator<String> dedup =
        builder(false)
            .reservationTimeout(Duration.ofSeconds(10))
            .clock(() -> Instant.ofEpochMilli(time.get()))
            .build();
    dedup.reserve("a");
    time.addAndGet(step);
    nanos.addAndGet(9 * SECOND);
    assertThat(dedup.reserve("a").status()).isEqualTo(IN_FLIGHT);
    nanos.addAndGet(SECOND);
    assertThat(dedup.reserve("a").status()).isEqualTo(GRANTED);
  }
}
