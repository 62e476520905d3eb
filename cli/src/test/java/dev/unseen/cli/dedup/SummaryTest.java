package dev.unseen.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.unseen.Alarm;
import dev.unseen.Gate;
import dev.unseen.Memory;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Pattern ADVICE =
      Pattern.compile("-m ([0-9]+[KM]) would evict at most 1 key in 20,000");

  @Test
  void reports_counts_speed_and_how_the_filter_stands_in_two_lines() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    for (long hash = 1; hash <= 100; hash++) {
      gate.admit(hash * 0x9E3779B97F4A7C15L);
    }
    assertThat(text(counts(700_000, 300_000, 0, 0, 0, 0, 0, 5), gate))
        .matches(
            "unseen: 1,000,000 records, 700,000 new, 300,000 duplicates in 0\\.52 s \\(1\\.9"
                + " M/s\\)\n"
                + "unseen: bloom filter, 1 KiB, \\d(\\.\\d)? % full; drops 1 new record in \\d+"
                + " [mb]illion, passes no duplicate");
  }

  @Test
  void knows_the_singular() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    assertThat(text(counts(0, 1, 0, 0, 0, 0, 0, 2), gate))
        .startsWith("unseen: 1 record, 0 new, 1 duplicate ");
  }

  @Test
  void reports_what_is_out_of_the_ordinary() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.RLBSBF).memory(Memory.KiB(1)).build();
    assertThat(text(counts(3, 2, 1, 4, 5, 1234, 2, 99), gate))
        .endsWith(
            "1 record passed unchecked; 4 records skipped (5 lines, 1,234 bytes)"
                + "\nunseen: 2 records with a null key");
  }

  /** Without an audit an interval says how little is known. */
  @Test
  void estimates_what_no_filter_can_tell_alone() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.RLBSBF).memory(Memory.KiB(1)).build();
    gate.admit(1);
    gate.admit(2);
    gate.admit(1);
    Summary summary = new Summary(counts(2, 1, 0, 4, 5, 6, 7, 99), 0.25, gate.report(), false);
    assertThat(summary.json())
        .startsWith(
            "{\"records\":3,\"fresh\":2,\"duplicates\":1,\"withoutKey\":4,\"nullKeys\":7,\"skipped\":4,\"skippedLines\":5,\"skippedBytes\":6,\"bytes\":99,"
                + "\"seconds\":0.250,\"kind\":\"rlbsbf\",\"hashes\":2,\"distinctKeys\":2,\"keysHeld\":2,\"memoryBytes\":1024,")
        .contains("\"estimatedFnr\":null,\"estimatedFnrLow\":0,\"estimatedFnrHigh\":0.66")
        .doesNotContain("evictedEarly") // filters of this kind do not count it
        .doesNotContain("audited");
  }

  @Test
  void reports_evictions_what_came_of_it_and_which_memory_would_do() {
    Gate gate = gate(1 << 16);
    RunCounts counts = fill(gate, 300_000, 100_000);
    assertThat(text(counts, gate))
        .contains(" keys to make room; about ")
        .containsPattern("about (29|30|31)\\d,000 distinct keys came")
        .containsPattern(
            "about (8\\d|9\\d|10\\d),000 duplicates passed as new \\([0-9,]+ to [0-9,]+\\)")
        .containsPattern("-m (896K|1M|1152K) would evict at most 1 key in 20,000")
        .contains("--kind bloom would let no duplicate through, but drop ");
    Gate larger = gate(1 << 20);
    fill(larger, 300_000, 100_000);
    assertThat(larger.report().evictedEarly().orElseThrow()).isLessThanOrEqualTo(30);
  }

  /** 0 % would be a promise: keys were evicted, and few are followed. */
  @Test
  void reports_the_most_that_may_have_passed_if_keys_were_evicted_and_no_error_was_seen() {
    Gate gate = Gate.builder().seed(1).memory(1 << 20).audit(AuditSpec.oneIn(1 << 16)).build();
    RunCounts counts = fill(gate, 425_000, 425_000);
    assertThat(gate.report().evictedEarly().orElseThrow()).isBetween(1L, 1000L);
    assertThat(gate.report().estimatedFnr().errors()).isZero();
    assertThat(text(counts, gate))
        .containsPattern(
            "passes at most ([0-9.]+ % of duplicates|1 duplicate in [0-9,]+) \\(0 of [0-9]+"
                + " followed\\)");
    assertThat(gate.report().estimatedFnr().isKnown()).isTrue();
    Gate full = gate(1 << 16);
    RunCounts all = fill(full, 300_000, 0);
    assertThat(text(all, full)).contains("passes an unknown share of duplicates");
    assertThat(full.report().estimatedFnr().isKnown()).isFalse();
    assertThat(new Summary(all, 1, full.report(), false).json())
        .contains("\"estimatedFnr\":null,\"estimatedFnrLow\":0,\"estimatedFnrHigh\":0.99");
  }

  /** The filter holds a few of the keys that came. */
  @Test
  void reports_the_same_number_of_keys_as_text_and_as_json() {
    Gate gate = gate(8 << 10);
    RunCounts counts = fill(gate, 50_000, 0);
    Summary summary = new Summary(counts, 1, gate.report(), false);
    double distinct = number("\"distinctKeys\":([0-9]+)", summary.json());
    assertThat(distinct).isBetween(40_000.0, 50_000.0);
    assertThat(number("about ([0-9,]+) distinct keys came", summary.toString()))
        .isCloseTo(distinct, withinPercentage(5));
    assertThat(number("\"keysHeld\":([0-9]+)", summary.json())).isLessThan(5_000);
    assertThat(summary.json()).doesNotContain("ardinality");
    Gate large = gate(1 << 20);
    fill(large, 50_000, 50_000);
    assertThat(new Summary(counts, 1, large.report(), false).json())
        .contains("\"distinctKeys\":" + large.admitted() + ",");
  }

  private static double number(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return Double.parseDouble(matcher.group(1).replace(",", ""));
  }

  /** The advice has to hold, whatever keys the audit happens to follow. */
  @Test
  void the_memory_that_it_recommends_evicts_next_to_no_key() {
    for (int seed = 0; seed < 25; seed++) {
      int keys = 300_000 + 8_000 * seed; // the size is rounded up, by a different amount each time
      Gate gate =
          Gate.builder()
              .seed(seed)
              .memory(256 << 10)
              .audit(AuditSpec.oneIn(16).memory(16 << 10))
              .build();
      RunCounts counts = fill(gate, keys, keys / 4);
      Matcher advice = ADVICE.matcher(text(counts, gate));
      assertThat(advice.find()).isTrue();
      Gate larger = Gate.builder().seed(seed).memory(Memory.parse(advice.group(1))).build();
      fill(larger, keys, keys / 4);
      double most = keys / 20_000.0;
      assertThat((double) larger.report().evictedEarly().orElseThrow())
          .as("%d keys in %s", keys, advice.group(1))
          .isLessThan(most + 4 * Math.sqrt(most)); // four standard errors
    }
  }

  @Test
  void a_small_filter_reports_how_many_keys_fit() {
    for (int bytes : new int[] {64, 256, 1 << 10, 8 << 10}) {
      List<Alarm> alarms = new ArrayList<>();
      Gate gate = Gate.builder().seed(0).memory(bytes).onAlarm(alarms::add).build();
      long[] hashes = LongStream.rangeClosed(1, 12_773).map(Mix::mix).toArray();
      gate.admitAll(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
      assertThat(alarms).hasSize(1);
      double after = number("and ([0-9,]+) fit", alarms.get(0).message());
      assertThat(after).isBetween(bytes / 4.0, bytes / 2.5);
    }
  }

  /** Too few keys are followed to count them, and no filter of ours can lose as many. */
  @Test
  void describes_the_smallest_filters_too() {
    for (int keys = 1; keys < 200; keys++) {
      Gate gate =
          Gate.builder()
              .kind(keys % 2 == 0 ? FilterKind.RECENCY : FilterKind.RLBSBF)
              .memory(64)
              .maxFalsePositiveRate(keys % 2 == 0 ? 1e-2 : 0.5)
              .audit(AuditSpec.oneIn(16).memory(4096))
              .build();
      assertThat(text(fill(gate, keys, keys), gate)).doesNotContain("null");
    }
  }

  @Test
  void keeps_a_number_and_its_unit_in_one_line() {
    Gate gate = gate(1 << 20);
    RunCounts counts = counts(399_972, 28, 0, 0, 0, 0, 0, 1);
    Summary summary = new Summary(counts, 1.76, gate.report(), false);
    for (int columns = 40; columns < 100; columns++) {
      assertThat(summary.text(columns)).containsPattern("1\\.76 s").contains("1 MiB");
    }
  }

  /** However many records, the lines do not wrap. */
  @Test
  void keeps_lines_within_a_hundred_columns() {
    Gate gate = gate(1 << 14);
    fill(gate, 100_000, 50_000);
    RunCounts many =
        counts(
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            1);
    many.tooLate = 9_999_999_999L;
    many.mostLateMillis = 9_999_999_999L;
    many.lateDropped = 9_999_999_999L;
    assertThat(new Summary(many, 99_999.99, gate.report(), true).toString().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
  }

  /** Keys that expire are not evicted, so no duplicate can have passed. */
  @Test
  void with_a_window_it_says_that_no_key_was_evicted_early() {
    Gate gate = Gate.builder().memory(400 << 10).window(Window.records(100_000)).build();
    RunCounts counts = fill(gate, 300_000, 0);
    assertThat(text(counts, gate))
        .contains("passes no duplicate; no key was evicted early")
        .doesNotContain("unknown")
        .hasLineCount(3);
    assertThat(new Summary(counts, 1, gate.report(), false).json())
        .contains("\"estimatedFnr\":0,")
        .containsPattern("\"keysThatFit\":1[23]\\d{4},\"evictedEarly\":0,");
  }

  @Test
  void with_a_window_that_does_not_fit_it_counts_evictions_and_not_expired_keys() {
    Gate gate = Gate.builder().memory(200 << 10).window(Window.records(100_000)).build();
    String text = text(fill(gate, 300_000, 0), gate);
    double evicted = number("evicted ([0-9,]+) keys early", text);
    assertThat(evicted)
        .isEqualTo((double) gate.report().evictedEarly().orElseThrow())
        .isBetween(150_000.0, 260_000.0);
    assertThat(text).doesNotContain("no key").contains(" of the window");
  }

  @Test
  void fits_the_terminal() {
    Gate windowed = Gate.builder().memory(400 << 10).window(Window.records(100_000)).build();
    Gate small = gate(1 << 14);
    for (Gate gate : new Gate[] {windowed, small}) {
      RunCounts counts = fill(gate, 300_000, 1000);
      Summary summary = new Summary(counts, 1, gate.report(), true);
      for (int columns : new int[] {60, 80, 120}) {
        assertThat(summary.text(columns).lines())
            .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns))
            .allSatisfy(line -> assertThat(line).matches("(unseen: |        )\\S.*"));
      }
      assertThat(summary.text(60).replaceAll("\n(unseen: |        )", " ").replace(";", ""))
          .isEqualTo(summary.text(120).replaceAll("\nunseen: ", " ").replace(";", ""));
    }
  }

  private static Gate gate(int bytes) {
    return Gate.builder().memory(bytes).audit(AuditSpec.oneIn(16).memory(64 << 10)).build();
  }

  /** Takes in keys, and then some of them again. */
  private static RunCounts fill(Gate gate, int keys, int again) {
    for (long i = 0; i < keys + again; i++) {
      gate.admit(Mix.mix(i % keys + 1));
    }
    return counts(gate.admitted(), gate.records() - gate.admitted(), 0, 0, 0, 0, 0, 0);
  }

  private static RunCounts counts(
      long fresh,
      long duplicates,
      long unchecked,
      long skipped,
      long skippedLines,
      long skippedBytes,
      long nullKeys,
      long bytes) {
    RunCounts counts = new RunCounts();
    counts.fresh = fresh;
    counts.duplicates = duplicates;
    counts.unchecked = unchecked;
    counts.skipped = skipped;
    counts.skippedLines = skippedLines;
    counts.skippedBytes = skippedBytes;
    counts.nullKeys = nullKeys;
    counts.bytes = bytes;
    return counts;
  }

  private static String text(RunCounts counts, Gate gate) {
    return new Summary(counts, 0.521, gate.report(), false).toString();
  }
}
