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
  private static final int DEFAULT_LIMIT = 100_000; // that of core
  private static final String MESSAGE =
      "%s is reached, and further requests are rejected; raise %smax-reservations, shorten %sreservation-timeout, or find out why so many calls run at one time";

  /** Creates the alarm of a deduplicator that properties describe. */
  static ReservationLimitAlarm of(String name, DeduplicatorProperties properties) {
    int limit = properties.maxReservations() == null ? DEFAULT_LIMIT : properties.maxReservations();
    String prefix = DeduplicatorFactory.prefix(name) + ".";
    return new ReservationLimitAlarm(
        name, MESSAGE.formatted("the limit of %,d reserved keys".formatted(limit), prefix, prefix));
  }

  /** Creates the alarm of a deduplicator that the application has built. */
  static ReservationLimitAlarm ofOwn(String name) {
    return new ReservationLimitAlarm(
        name, MESSAGE.formatted("its limit of reserved keys", "its ", "its "));
  }
}
