package dev.unseen.spring;

import dev.unseen.Alarm;
import dev.unseen.Deduplicator;
import dev.unseen.Report;
import dev.unseen.SavedDeduplicator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A deduplicator of the application, with its name and its state file. */
final class ManagedDeduplicator {
  private final String name;
  private final Deduplicator<?> deduplicator;
  private final SavedDeduplicator<?> state; // null: it is not saved
  private final RejectedReservations rejected;

  ManagedDeduplicator(
      String name,
      DeduplicatorProperties properties,
      Deduplicator<?> deduplicator,
      SavedDeduplicator<?> state) {
    this.name = name;
    this.deduplicator = deduplicator;
    this.state = state;
    this.rejected =
        new RejectedReservations(ReservationLimitAlarm.of(name, properties), System::nanoTime);
  }

  /** Returns the name in the properties; {@code default} for the default one. */
  String name() {
    return name;
  }

  /** Returns the deduplicator. */
  Deduplicator<?> deduplicator() {
    return deduplicator;
  }

  /** Returns a report with counts, load, and estimated and measured errors. */
  Report report() {
    return deduplicator.report();
  }

  /** Returns the reservations that were rejected because too many keys were reserved. */
  RejectedReservations rejected() {
    return rejected;
  }

  /** Returns the problems that there are at present, each as a sentence. */
  List<String> problems(Report report) {
    List<String> problems = new ArrayList<>();
    report.alarms().forEach(reason -> problems.add(new Alarm(reason, report).message()));
    if (rejected.isRecent()) {
      problems.add(rejected.alarm().message());
    }
    return problems;
  }

  /** Returns what is known of its saves, unless it has no state file. */
  Optional<SavedDeduplicator<?>> state() {
    return Optional.ofNullable(state);
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(name, deduplicator);
  }
}
