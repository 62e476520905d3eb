package dev.unseen;

import dev.unseen.filter.Window;
import dev.unseen.snapshot.ClockState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The settings of a gate that are given at every start, because no state contains them.
 *
 * @param keyForm the form of the keys
 * @param eventTime whether the times come with the records
 * @param source the clock for the times of arrival
 * @param maxAhead milliseconds by which a time may be later than the arrival of its record
 * @param maxJump milliseconds by which a time may be later than the latest time before it
 * @param lateRecords what happens to records that cannot be checked
 * @param reservationTimeout the time after which a reservation ends automatically
 * @param ticker the nanoseconds since any moment, for reservations
 * @param maxReservations the number of keys that may be reserved at one time
 * @param onAlarm the action for an alarm
 */
record GateSettings(
    KeyForm keyForm,
    boolean eventTime,
    InstantSource source,
    long maxAhead,
    long maxJump,
    LateRecords lateRecords,
    Duration reservationTimeout,
    LongSupplier ticker,
    int maxReservations,
    Consumer<? super Alarm> onAlarm) {

  RecordClock clock(Window window, ClockState before) {
    return new RecordClock(window, eventTime, source, maxAhead, maxJump, before);
  }
}
