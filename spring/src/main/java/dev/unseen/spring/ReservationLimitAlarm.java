package dev.unseen.spring;

/**
 * Reports to the application's listeners that a deduplicator rejects requests, because as many keys
 * are reserved as {@code unseen.max-reservations} allows. It is published once each time that this
 * starts, and not for every request: it is over after a minute without a rejection.
 *
 * @param name the name of the deduplicator
 * @param message the problem and what to do, in one sentence
 */
public record ReservationLimitAlarm(String name, String message) {
  static ReservationLimitAlarm of(String name, long reserved) {
    String prefix = DeduplicatorFactory.prefix(name);
    return new ReservationLimitAlarm(
        name,
        "%,d keys are reserved, which is the limit, and further requests are rejected; raise %s.max-reservations, shorten %s.reservation-timeout, or find out why so many calls run at one time"
            .formatted(reserved, prefix, prefix));
  }
}
