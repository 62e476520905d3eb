package dev.unseen.server.monitor;

import dev.unseen.server.command.Context;
import dev.unseen.server.monitor.FilterHealth.Severity;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;

/**
 * What an operator should read first.
 *
 * @param severity how urgent it is
 * @param text the most urgent problem with its remedy, or that there is none
 */
record Verdict(Severity severity, String text) {
  private static final double NEARLY_ALL = 0.95; // of the memory limit

  /**
   * Returns the verdict.
   *
   * @param filters all filters, the most urgent first
   */
  static Verdict of(Context context, List<FilterHealth> filters) {
    MemoryBudget memory = context.keyspace().budget();
    List<Verdict> problems = new ArrayList<>();
    if (!context.failure().isEmpty()) {
      problems.add(new Verdict(Severity.ALARM, context.failure() + ": check the disk of --dir"));
    }
    filters.stream()
        .filter(filter -> filter.severity() != Severity.OK)
        .forEach(filter -> problems.add(new Verdict(filter.severity(), filter.text())));
    if (memory.used() > NEARLY_ALL * memory.filterLimit()) {
      problems.add(
          new Verdict(
              Severity.WARNING,
              "filters use %s of %s: raise --max-memory before you create more"
                  .formatted(Print.bytes(memory.used()), Print.bytes(memory.filterLimit()))));
    }
    if (problems.isEmpty()) {
      return new Verdict(
          Severity.OK,
          filters.isEmpty()
              ? "All is well: there is no filter yet"
              : "All is well: %s room"
                  .formatted(
                      filters.size() == 1
                          ? "1 filter has"
                          : Print.things(filters.size(), "filter") + " have"));
    }
    Verdict first = problems.get(0);
    int more = problems.size() - 1;
    return new Verdict(
        first.severity,
        more == 0 ? first.text : "%s (and %d more below)".formatted(first.text, more));
  }
}
