package dev.unseen;

import dev.unseen.filter.Window;
import dev.unseen.snapshot.ClockState;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What a gate is told at every start, since no state keeps it.
 *
 * @param keyForm what the keys are
 * @param eventTime whether times come with the records
 * @param source of the time of arrival
 * @param maxAhead milliseconds that a time may be later than its record arrives
 * @param maxJump milliseconds that a time may be later than the latest before it
 * @param reservationMillis after which a reservation ends by itself
 * @param maxReservations at one time
 * @param onAlarm what to do at an alarm
 */
record GateSettings(
    KeyForm keyForm,
    boolean eventTime,
    InstantSource source,
    long maxAhead,
    long maxJump,
    long reservationMillis,
    int maxReservations,
    Consumer<? super Alarm> onAlarm) {

  RecordClock clock(Window window, ClockState before) {
    return new RecordClock(window, eventTime, source, maxAhead, maxJump, before);
  }
}
