package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Filters;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines that a filter writes are accepted, and those that it cannot write are refused. */
final class LineCheckTest {
  private static final int ALL_LINES = 256;
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private static LineFilter filter(Refresh refresh, Window window) {
    FilterSpec.Builder spec = FilterSpec.builder(FilterKind.RECENCY, ALL_LINES * 64L);
    spec.refresh(refresh);
    return (LineFilter) Filters.create((window.isNone() ? spec : spec.window(window)).build());
  }

  private static LineFilter adaptive(int records) {
    LineFilter filter = filter(Refresh.ADAPTIVE, Window.NONE);
    admit(filter, records, 1);
    return filter;
  }

  /** A third of the records are of some keys that come again and again, the others are new. */
  private static void admit(LineFilter filter, int records, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    for (int i = 0; i < records; i++) {
      filter.admit(random.chance(1, 3) ? Mix.mix(random.below(3000)) : random.next());
    }
  }

  private static void check(LineFilter filter) {
    LineCheck check = new LineCheck(filter);
    check.take(0, filter.words.chunk(0), Words.inChunk(0), (int) filter.words.length());
    check.end();
  }

  private static long lineWith(LineFilter filter, LongPredicate header) {
    return LongStream.range(0, filter.lines)
        .filter(line -> header.test(header(filter, line)))
        .findFirst()
        .orElseThrow();
  }

  private static long header(LineFilter filter, long line) {
    return filter.words.get(line * Lanes.WORDS + LineFilter.HEADER_WORD);
  }

  private static void change(LineFilter filter, long word, LongUnaryOperator change) {
    filter.words.set(word, change.applyAsLong(filter.words.get(word)));
  }

  /** Changes the header of a line, checks, and puts it back. */
  private static void assertRejected(
      LineFilter filter, long line, LongUnaryOperator change, String message) {
    assertRejected(filter, line, LineFilter.HEADER_WORD, change, message);
  }

  private static void assertRejected(
      LineFilter filter, long line, int word, LongUnaryOperator change, String message) {
    long at = line * Lanes.WORDS + word;
    long kept = filter.words.get(at);
    change(filter, at, change);
    assertThatThrownBy(() -> check(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line " + line + ": ")
        .hasMessageContaining(message);
    filter.words.set(at, kept);
    check(filter);
  }

  private static LongUnaryOperator header(int first, int second, int level) {
    return word -> {
      long[] line = new long[Lanes.WORDS];
      line[LineFilter.HEADER_WORD] = word;
      Lines.setHeader(line, 0, first, second, level);
      return line[LineFilter.HEADER_WORD];
    };
  }

  @ParameterizedTest
  @EnumSource
  void accepts_what_a_filter_writes_at_any_time(Refresh refresh) {
    for (Window window : new Window[] {Window.NONE, Window.records(5000)}) {
      LineFilter filter = filter(refresh, window);
      LineFilter other = filter(refresh, window);
      for (int i = 0; i < 100; i++) {
        assertThatCode(() -> check(filter)).doesNotThrowAnyException();
        admit(filter, 40 * i, i);
        admit(other, 20 * i, -i);
        if (i % 10 == 9) {
          filter.merge(other);
        }
      }
    }
  }

  @Test
  void accepts_lines_that_keep_what_they_have() {
    RecencyFilter filter = (RecencyFilter) filter(Refresh.ADAPTIVE, Window.NONE);
    for (int i = 0; i < 1_000_000; i++) {
      filter.admit(Mix.mix(i % 15_000));
    }
    assertThat(filter.retention.isKeeping()).isTrue();
    check(filter);
  }

  @Test
  void rejects_filling_lines_that_do_not_fit_their_shape() {
    LineFilter filter = adaptive(2000);
    int last = filter.form.shapes().length - 1;
    int lanes = filter.form.narrowest().count();
    assertRejected(filter, 3, header(5, 0, last + 2), "level (" + (last + 2) + ") must be 0 to");
    assertRejected(filter, 3, header(60, 0, 0), "lanes in use (60) must be 0 to");
    assertRejected(filter, 3, header(lanes, 0, last), "lanes in use (" + lanes + ") must be");
    assertRejected(filter, 3, header(5, 6, 0), "repeated keys (6) must be 0 to 5");
  }

  @Test
  void rejects_full_lines_with_numbers_out_of_range() {
    LineFilter filter = adaptive(20_000);
    int lanes = filter.form.narrowest().count();
    long line = lineWith(filter, Lines::isFull);
    assertRejected(filter, line, header(0, lanes + 1, Lines.FULL), "repeated keys (");
    assertRejected(filter, line, header(lanes - 5, 5, Lines.FULL), "head (" + (lanes - 5) + ")");
    assertRejected(filter, line, header(1, lanes, Lines.FULL), "head (1) must be 0 to 0");
  }

  @Test
  void rejects_sorted_lines_whose_bitmaps_do_not_agree() {
    LineFilter filter = adaptive(200_000);
    int level = filter.form.shapes().length;
    int most = filter.form.sorted().count();
    long line = lineWith(filter, header -> Lines.level(header) == level);
    assertThat(filter.lanesUsed(header(filter, line))).isEqualTo(most);
    assertRejected(filter, line, header(most + 1, 0, level), "lanes in use (" + (most + 1) + ")");
    assertRejected(filter, line, header(most, most, level), "hand (" + most + ")");
    assertRejected(filter, line, header(most - 1, 1, level), "hand (1) must be 0 to 0");
    assertRejected(filter, line, header(0, 0, level), "a run must start in the first lane");
    assertRejected(filter, line, header(1, 0, level), "a free lane must not");
    assertRejected(filter, line, 0, word -> word ^ 1, "occupied quotients (");
  }

  @Test
  void rejects_fingerprints_that_could_not_be_sorted() {
    LineFilter filter =
        (LineFilter)
            Filters.create(
                FilterSpec.builder(FilterKind.RECENCY, ALL_LINES * 64L).maxFpr(0.001).build());
    admit(filter, 2000, 1);
    Lanes lanes = filter.form.shapes()[0];
    long impossible =
        LongStream.range(0, 1 << filter.form.fingerprints().bits())
            .filter(print -> !filter.form.fingerprints().isPossible(print))
            .findFirst()
            .orElseThrow();
    long line = lineWith(filter, header -> Lines.level(header) == 0 && Lines.first(header) > 3);
    lanes.set(filter.words.chunk(0), Words.inChunk(line * Lanes.WORDS), 0, impossible);
    assertThatThrownBy(() -> check(filter)).hasMessageContaining("of no hash");
  }

  @Test
  void rejects_forms_that_the_filter_never_has() {
    LineFilter never = filter(Refresh.NEVER, Window.NONE);
    LineFilter always = filter(Refresh.ALWAYS, Window.NONE);
    int level = never.form.shapes().length;
    assertRejected(never, 7, header(0, 0, level), "it is a sorted line");
    assertRejected(never, 7, header(5, 1, 0), "repeated keys (1) must be 0 to 0");
    assertRejected(never, 7, header(0, 1, Lines.FULL), "repeated keys (1) must be 0 to 0");
    assertRejected(always, 7, header(5, 4, 0), "repeated keys (4) must be 5 to 5");
    assertRejected(always, 7, header(0, 0, Lines.FULL), "it is a full line");
  }

  @Test
  void rejects_a_key_in_a_line_that_has_no_partner() {
    LineFilter filter =
        (LineFilter) Filters.create(FilterSpec.of(FilterKind.RECENCY, (ALL_LINES + 1) * 64L));
    admit(filter, 2000, 1);
    assertThat(filter.lines).isEqualTo(ALL_LINES);
    long at = filter.lines * Lanes.WORDS + LineFilter.HEADER_WORD;
    change(filter, at, header(1, 0, 0));
    assertThatThrownBy(() -> check(filter)).hasMessageContaining("lanes in use (1) must be 0");
  }

  @Test
  void rejects_lanes_that_are_not_as_many_as_were_counted() {
    LineFilter filter = adaptive(2000);
    filter.countLanes(1, 1);
    assertThatThrownBy(() -> check(filter)).hasMessageStartingWith("lanes in use of level 1 (");
  }

  @Test
  void rejects_headers_of_windows_with_ages_that_cannot_be() {
    LineFilter filter = filter(Refresh.ADAPTIVE, Window.records(5000));
    admit(filter, 3000, 1);
    int shapes = filter.form.shapes().length;
    int lanes = filter.form.narrowest().count();
    int shift = Long.SIZE - WindowLines.headerBits(lanes, Window.STEPS);
    int levelShift = shift + lanes + Window.STEPS;
    long ofNoShape = (long) shapes << levelShift;
    assertRejected(filter, 2, header -> ofNoShape, "level (" + shapes + ") must be 0 to");
    long allInUse = (1L << lanes) - 1; // at the level of the fewest lanes
    assertRejected(filter, 2, header -> allInUse << shift, "lanes in use (" + lanes + ") must be");
    long tooOld = 1L << Window.STEPS; // one key, eight groups old
    assertRejected(
        filter, 2, header -> tooOld << shift, "age of the oldest key (8) must be 0 to 7");
  }

  // ---- Numbers beside the lines

  /** Reads the state that a filter has, with other numbers in place of some. */
  private record Forger(Map<String, Number> forged) implements StateVisitor {
    @Override
    public long number(String name, long value, long min, long max) {
      long read = forged.getOrDefault(name, value).longValue();
      StorageCheck.requireBetween(name, read, min, max);
      return read;
    }

    @Override
    public double real(String name, double value, double min, double max) {
      double read = forged.getOrDefault(name, value).doubleValue();
      if (!(read >= min && read <= max)) {
        throw new IllegalArgumentException("%s (%s)".formatted(name, read));
      }
      return read;
    }

    @Override
    public void words(Words words, StorageCheck check) {
      check.take(0, words.chunk(0), Words.inChunk(0), (int) words.length());
      check.end();
    }
  }

  private static void read(LineFilter filter, Map<String, Number> forged) {
    try {
      filter.state(new Forger(forged));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LineFilter windowed(Window window) {
    LineFilter filter = filter(Refresh.ADAPTIVE, window);
    if (window.isTime()) {
      filter.advanceTo(1_234_567);
    }
    admit(filter, 20_000, 1);
    return filter;
  }

  @Test
  void accepts_the_numbers_that_a_filter_has() {
    for (Window window : List.of(Window.NONE, Window.records(5000), Window.time(TEN_SECONDS))) {
      read(filter(Refresh.ADAPTIVE, window), Map.of());
      read(windowed(window), Map.of());
    }
  }

  @Test
  void rejects_numbers_of_windows_that_do_not_agree() {
    Window records = Window.records(5000);
    Window time = Window.time(TEN_SECONDS);
    assertRejected(records, Map.of("records", 30_000), "step (31) must be 47 to 47");
    assertRejected(records, Map.of("step", 32), "next step (20000) must be 20625 to 20625");
    assertRejected(records, Map.of("next step", 20_001), "next step (20001) must be 20000");
    assertRejected(records, Map.of("next step", Long.MIN_VALUE), "next step (");
    assertRejected(records, Map.of("next line to sweep", ALL_LINES), "next line to sweep (256)");
    assertRejected(records, Map.of("departed", 1e300), "departed (1.0E300)");
    assertRejected(records, Map.of("departed", 10, "kept", 10.5), "kept (10.5)");
    assertRejected(time, Map.of("next step", Long.MIN_VALUE), "next step (");
    assertRejected(time, Map.of("next step", 0), "next step (0) must be 1235000 to 1235000");
    assertRejected(time, Map.of("step", Long.MAX_VALUE), "step (");
  }

  private static void assertRejected(Window window, Map<String, Number> forged, String message) {
    assertThatThrownBy(() -> read(windowed(window), forged))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** Counts end at a number, and a state with that number goes on. */
  @Test
  void a_window_of_more_records_than_are_counted_is_saved_and_read() {
    Window window = Window.records(5000);
    LineFilter filter = windowed(window);
    long step = window.stepOf(Counts.MOST - 1);
    long next = window.firstMomentOf(step + 1);
    read(filter, Map.of("records", Counts.MOST, "step", step, "next step", next));
    for (int i = 0; i < 3; i++) {
      admit(filter, 20_000, i);
      read(filter, Map.of("records", Counts.MOST));
    }
  }

  @Test
  void merged_windows_can_be_read_however_often_they_are_merged() {
    LineFilter filter = windowed(Window.records(5000));
    read(filter, Map.of("departed", Counts.MOST, "kept", Counts.MOST));
    LineFilter other = windowed(Window.records(5000));
    for (int i = 0; i < 100; i++) {
      other.merge(filter);
      filter.merge(other);
      read(filter, Map.of());
    }
  }

  @Test
  void rejects_evidence_beyond_its_limit() {
    assertThatThrownBy(() -> read(adaptive(2000), Map.of("evidence for replacing", 1_000_000_000)))
        .hasMessageStartingWith("evidence for replacing (1000000000) must be -");
    read(adaptive(2000), Map.of("evidence for replacing", 1));
  }
}
