package dev.unseen.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  private static Report report(int records) {
    Gate gate = Gate.builder().memory(1 << 16).seed(0).build();
    for (int i = 0; i < records; i++) {
      gate.admit(gate.hash().hash(i));
    }
    return gate.report();
  }

  @Test
  void a_report_has_a_help_a_type_and_a_value_for_each_measure() {
    List<String> lines = new PrometheusText().report(report(3)).toString().lines().toList();
    assertThat(lines)
        .containsSequence(
            "# HELP unseen_records_total Records processed",
            "# TYPE unseen_records_total counter",
            "unseen_records_total 3");
    assertThat(lines).contains("# TYPE unseen_load gauge");
    assertThat(lines).noneMatch(line -> line.contains("null"));
  }

  @Test
  void what_is_not_known_is_nan_here_and_null_in_json() {
    Report report = report(100_000); // evicts most keys, and meets no duplicate
    assertThat(new PrometheusText().report(report).toString())
        .contains("\nunseen_estimated_fnr NaN\n")
        .contains("\nunseen_estimated_fnr_low 0\n")
        .containsPattern("\nunseen_evicted_early_total [1-9]");
    Measure fnr =
        Measure.all().stream()
            .filter(m -> m.name().equals("estimated_fnr"))
            .findAny()
            .orElseThrow();
    assertThat(fnr.text(report)).isEqualTo("null");
    assertThat(fnr.text(report(10))).isEqualTo("0");
  }

  @Test
  void keys_whose_window_has_ended_are_not_evicted_early() {
    Gate gate =
        Gate.builder().memory(1 << 20).seed(0).window(Window.time(Duration.ofSeconds(1))).build();
    for (int i = 0; i < 100_000; i++) {
      gate.admit(gate.hash().hash(i), i);
    }
    Report report = gate.report();
    assertThat(report.evictedEarly()).hasValue(0);
    assertThat(new PrometheusText().report(report).toString())
        .contains("\nunseen_evicted_early_total 0\n")
        .contains("\nunseen_window_coverage 1\n");
    Report saved = Report.of(gate.snapshot(Map.of()));
    assertThat(saved.evictedEarly()).as("not part of a saved state").isEmpty();
  }

  @Test
  void a_measure_that_does_not_apply_is_left_out() {
    assertThat(new PrometheusText().report(report(3)).toString())
        .doesNotContain("unseen_window_coverage")
        .doesNotContain("unseen_audited_fpr");
    Gate gate = Gate.builder().kind(FilterKind.RLBSBF).memory(1 << 16).seed(0).build();
    assertThat(new PrometheusText().report(gate.report()).toString())
        .as("a kind that does not count evictions")
        .doesNotContain("unseen_evicted_early_total");
  }

  @Test
  void the_version_is_a_label() {
    assertThat(new PrometheusText().buildInfo().toString())
        .containsPattern("\nunseen_build_info\\{version=\"\\d+\\.\\d+[^\"]*\"} 1\n");
  }

  @Test
  void all_values_of_a_measure_stand_together() {
    Map<String, Report> reports = new LinkedHashMap<>();
    reports.put("clicks", report(3));
    reports.put("orders", report(5));
    assertThat(new PrometheusText().reports("filter", reports).toString().lines())
        .containsSequence(
            "# TYPE unseen_records_total counter",
            "unseen_records_total{filter=\"clicks\"} 3",
            "unseen_records_total{filter=\"orders\"} 5",
            "# HELP unseen_admitted_total Records admitted as new");
  }

  @Test
  void a_label_cannot_end_its_quotes_or_its_line() {
    Map<String, Report> reports = Map.of("a\"} 1\nb\\", report(0));
    assertThat(new PrometheusText().reports("filter", reports).toString().lines())
        .contains("unseen_records_total{filter=\"a\\\"} 1\\nb\\\\\"} 0");
  }

  @Test
  void a_number_of_the_callers_own_has_the_same_form() {
    assertThat(new PrometheusText().number("up", Measure.Type.GAUGE, "Is it there", 1).toString())
        .isEqualTo("# HELP up Is it there\n# TYPE up gauge\nup 1\n");
  }
}
