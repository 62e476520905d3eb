package dev.unseen.spring;

import dev.unseen.Alarm;
import dev.unseen.Deduplicator;
import dev.unseen.Report;
import dev.unseen.SavedDeduplicator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A deduplicator of the application.
 *
 * @param name its name in the properties; {@code default} for the default one
 * @param state its state file, unless it has none
 * @param rejected the reservations that were rejected because too many keys were reserved
 */
record ManagedDeduplicator(
    String name,
    Deduplicator<?> deduplicator,
    Optional<SavedDeduplicator<?>> state,
    RejectedReservations rejected) {

  /** Returns the problems that there are at present, each as a sentence. */
  List<String> problems(Report report) {
    List<String> problems = new ArrayList<>();
    report.alarms().forEach(reason -> problems.add(new Alarm(reason, report).message()));
    if (rejected.isRecent()) {
      problems.add(rejected.alarm().message());
    }
    return problems;
  }

  /** Returns what is known of the state file, unless there is none. */
  Map<String, Object> saves() {
    Map<String, Object> shown = new LinkedHashMap<>();
    state.ifPresent(
        file -> {
          shown.put("file", file.file().toString());
          file.lastSave().ifPresent(save -> shown.put("lastSave", save.time()));
          file.lastFailure().ifPresent(failure -> shown.put("error", failure.toString()));
        });
    return shown;
  }
}
