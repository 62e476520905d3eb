package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

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
  void all_values_of_a_measure_stand_together() {
    Map<String, Report> reports = new LinkedHashMap<>();
    reports.put("clicks", report(3));
    reports.put("orders", report(5));
    assertThat(new PrometheusText().reports("filter", reports).toString().lines())
        .containsSequence(
            "# TYPE unseen_records_total counter",
            "unseen_records_total{filter=\"clicks\"} 3",
            "unseen_records_total{filter=\"orders\"} 5",
            "# HELP unseen_admitted_total Records let through as new");
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
