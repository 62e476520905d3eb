package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.OptionException;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.testing.GeneratedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** docs/operating.md has all measures, alarms and exceptions, and says what to do. */
final class OperatingDocTest {
  private static final Path PAGE = Path.of("..", "docs", "operating.md");
  private static final String FINE = "never; it is for comparison";

  /** The unit of a measure, and when its value is a reason to act. */
  private record Advice(String unit, String worry) {}

  private static Map<String, Advice> advice() {
    Map<String, Advice> advice = new LinkedHashMap<>();
    advice.put("records", new Advice("records", "it stops growing while the source has records"));
    advice.put("admitted", new Advice("records", "its share of `records` changes suddenly"));
    advice.put("duplicates", new Advice("records", "its share of `records` changes suddenly"));
    advice.put("rescued", new Advice("records", "its share of `records` is above `max_fpr`"));
    advice.put("memory_bytes", new Advice("", FINE));
    advice.put("overhead_bytes", new Advice("", FINE));
    advice.put(
        "predecessor_bytes", new Advice("", "above 0 long after a change: see `handover_left`"));
    advice.put(
        "handover_left", new Advice("ms, records or keys", "it does not fall after a change"));
    advice.put("load", new Advice("share", "never: a full filter works as promised"));
    advice.put("estimated_fpr", new Advice("share", "above `max_fpr`; alarm `FALSE_POSITIVES`"));
    advice.put("estimated_fnr", new Advice("share", "above what your consumers tolerate"));
    advice.put("estimated_fnr_low", new Advice("share", "above what your consumers tolerate"));
    advice.put("estimated_fnr_high", new Advice("share", FINE));
    advice.put("max_fpr", new Advice("share", FINE));
    advice.put(
        "estimated_cardinality", new Advice("keys", "above 0.9 of `keys_that_fit`: plan for more"));
    advice.put("keys_that_fit", new Advice("keys", "below `estimated_cardinality`"));
    advice.put(
        "evicted_early",
        new Advice("keys", "it grows by more than 1 in 10,000 of `admitted`; alarm `FORGETTING`"));
    advice.put("window_coverage", new Advice("share", "below 1: keys are forgotten too soon"));
    advice.put("late_times", new Advice("records", "it grows; alarm `LATE_TIMES`"));
    advice.put("rejected_times", new Advice("records", "above 0; alarm `REJECTED_TIMES`"));
    advice.put("clock_jumps", new Advice("jumps", "above 0; alarm `CLOCK_JUMP`"));
    advice.put("in_flight", new Advice("keys", "above 0.8 of the limit, or it never falls"));
    advice.put("audited_keys_one_in", new Advice("keys", FINE));
    advice.put("audited_fpr", new Advice("share", "above `max_fpr`; alarm `FALSE_POSITIVES`"));
    advice.put("audited_fpr_low", new Advice("share", "above `max_fpr`"));
    advice.put("audited_fpr_high", new Advice("share", FINE));
    advice.put("audited_fnr", new Advice("share", "above what your consumers tolerate"));
    advice.put("audited_fnr_low", new Advice("share", "above what your consumers tolerate"));
    advice.put("audited_fnr_high", new Advice("share", FINE));
    return advice;
  }

  @Test
  void the_page_lists_all_measures() throws IOException {
    Map<String, Advice> advice = advice();
    assertThat(advice.keySet())
        .as("say what the unit is, and when to worry")
        .containsExactlyElementsOf(Measure.all().stream().map(Measure::name).toList());
    List<String> rows =
        new ArrayList<>(
            List.of(
                "| Prometheus | type | unit | meaning | when to worry |", "|---|---|---|---|---|"));
    for (Measure measure : Measure.all()) {
      Advice about = advice.get(measure.name());
      rows.add(
          "| `%s` | %s | %s | %s | %s |"
              .formatted(
                  measure.prometheusName(),
                  measure.type().name().toLowerCase(Locale.ROOT),
                  measure.unit().isEmpty() ? about.unit() : measure.unit(),
                  measure.help(),
                  about.worry()));
    }
    GeneratedTable.check(PAGE, rows);
  }

  @Test
  void the_page_says_what_to_do_for_each_alarm() {
    for (Alarm.Reason reason : Alarm.Reason.values()) {
      assertThat(PAGE).content().contains("| `%s` |".formatted(reason));
    }
  }

  @Test
  void the_page_says_what_to_do_for_each_exception() {
    for (Class<?> each :
        List.of(
            OptionException.class,
            DifferentOptionsException.class,
            SnapshotException.class,
            LateRecordException.class,
            ReservationLimitException.class)) {
      assertThat(PAGE).content().contains("`%s`".formatted(each.getSimpleName()));
    }
  }
}
