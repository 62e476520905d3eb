package dev.unseen;

import dev.unseen.filter.Window;
import dev.unseen.snapshot.ClockState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The settings of a gate that are given on every startup, because no state contains them.
 *
 * @param config the options
 * @param keyForm the form of the keys
 * @param source the clock for the times of arrival
 * @param ticker the nanoseconds since any moment, for reservations
 * @param onAlarm the action for an alarm
 */
record GateSettings(
    GateConfig config,
    KeyForm keyForm,
    InstantSource source,
    LongSupplier ticker,
    Consumer<? super Alarm> onAlarm) {
  private static final Duration DEFAULT_AHEAD = Duration.ofDays(1);
  private static final Duration DEFAULT_RESERVATION = Duration.ofMinutes(1);
  private static final int DEFAULT_RESERVATIONS = 100_000;

  RecordClock clock(Window window, ClockState before) {
    return new RecordClock(
        window,
        config.is(Option.EVENT_TIME),
        source,
        config.get(Option.MAX_TIME_AHEAD, DEFAULT_AHEAD).toMillis(),
        config.get(Option.MAX_TIME_JUMP).map(Duration::toMillis).orElse(Long.MAX_VALUE),
        before);
  }

  LateRecords lateRecords() {
    return config.get(Option.LATE_RECORDS, LateRecords.ADMIT);
  }

  Duration maxHandover() {
    return config.get(Option.MAX_HANDOVER, GateOptions.FOREVER);
  }

  Duration reservationTimeout() {
    return config.get(Option.RESERVATION_TIMEOUT, DEFAULT_RESERVATION);
  }

  int maxReservations() {
    return config.get(Option.MAX_RESERVATIONS, DEFAULT_RESERVATIONS);
  }
}
