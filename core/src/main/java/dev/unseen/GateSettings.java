package dev.unseen;

import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a gate needs in addition to its state.
 *
 * @param source the clock for the times of arrival
 * @param ticker the nanoseconds since any moment, for reservations
 */
record GateSettings(
    GateConfig config,
    KeyForm keyForm,
    InstantSource source,
    LongSupplier ticker,
    Consumer<? super Alarm> onAlarm) {}
