package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Report;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Specs;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.HashKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Files of each released version, one for each kind of filter and each option. They have to load
 * for ever, and to go on with the same verdicts. New ones are written with {@code
 * -Dfixtures.write=true}; those that exist are never written again.
 */
final class FixtureTest {
  private static final Path DIRECTORY = Path.of("src/test/resources/dev/unseen/snapshot/v1");

  /** The checksum of the verdicts on the 2,000 records that come after each state. */
  private static final Map<String, String> VERDICTS =
      Map.ofEntries(
          Map.entry("bloom", "befb630a"),
          Map.entry("bloom-shared", "afacd87c"),
          Map.entry("bloom-siphash", "befb630a"),
          Map.entry("bsbf", "3a2d7729"),
          Map.entry("bsbfsd", "672282b1"),
          Map.entry("recency", "4c20088d"),
          Map.entry("recency-grown", "b5b47dec"),
          Map.entry("recency-keeping", "e3d6ff80"),
          Map.entry("recency-late", "d665dc32"),
          Map.entry("recency-sorted", "0d6791b9"),
          Map.entry("recency-time", "95a82442"),
          Map.entry("recency-window", "1c9a2946"),
          Map.entry("rlbsbf", "698ba917"),
          Map.entry("rlbsbf-audited", "999cb5b3"),
          Map.entry("rlbsbf-sharded", "e6e18d63"),
          Map.entry("rsbf", "5714cc0b"),
          Map.entry("rsbf-phase-3", "3612b7c6"),
          Map.entry("sampled", "510d9b5b"),
          Map.entry("sbf", "a8923b36"),
          Map.entry("sbf-3-bits", "dca975ed"));

  private static Map<String, Snapshot> states() {
    Map<String, FilterSpec.Builder> specs = new LinkedHashMap<>();
    for (FilterKind kind : FilterKind.values()) {
      specs.put(kind.id(), FilterSpec.builder(kind, 1500));
    }
    specs.put("sbf-3-bits", FilterSpec.builder(FilterKind.SBF, 1500).set(Parameter.CELL_BITS, 3));
    specs.put(
        "rsbf-phase-3",
        FilterSpec.builder(FilterKind.RSBF, 1500).hashes(12).set(Parameter.THRESHOLD, 0.9));
    specs.put(
        "bloom-shared",
        FilterSpec.builder(FilterKind.BLOOM, 1500).set(Parameter.PARTITIONED, false));
    specs.put("bloom-siphash", FilterSpec.builder(FilterKind.BLOOM, 1500).hash(HashKind.SIPHASH));
    specs.put(
        "recency-window",
        FilterSpec.builder(FilterKind.RECENCY, 1500)
            .window(Window.records(900))
            .refresh(Refresh.NEVER)
            .maxFpr(1e-3));
    specs.put(
        "recency-time",
        FilterSpec.builder(FilterKind.RECENCY, 1500)
            .window(Window.time(Duration.ofHours(1)))
            .refresh(Refresh.ALWAYS));
    Map<String, Snapshot> states = new LinkedHashMap<>();
    specs.forEach(
        (name, spec) -> states.put(name, run(Filters.create(spec.seed(42).build()), false)));
    FilterSpec sharded = FilterSpec.builder(FilterKind.RLBSBF, 128 * 64).seed(42).build();
    FilterSpec late =
        FilterSpec.builder(FilterKind.RECENCY, 1500)
            .window(Window.time(Duration.ofHours(1)).withLateness(Duration.ofDays(1)))
            .seed(42)
            .build();
    states.put("recency-late", run(Filters.create(late), false));
    states.put("rlbsbf-sharded", run(ShardedFilter.of(sharded), false));
    states.put("rlbsbf-audited", run(Filters.create(sharded), true));
    FilterSpec popular = FilterSpec.builder(FilterKind.RECENCY, 1500).seed(42).build();
    DuplicateFilter sorted = Filters.create(popular);
    for (long hash : Specs.popular(60_000, 300, 1)) {
      sorted.admit(hash);
    }
    states.put("recency-sorted", run(sorted, false));
    DuplicateFilter keeping =
        Filters.create(FilterSpec.builder(FilterKind.RECENCY, 16_384).seed(42).build());
    for (int i = 0; i < 80_000; i++) { // a loop over twice the keys that fit
      keeping.admit(Mix.mix(i % 16_000));
    }
    states.put("recency-keeping", run(keeping, false));
    FilterSpec larger = FilterSpec.builder(FilterKind.RECENCY, 3000).seed(42).build();
    states.put(
        "recency-grown",
        run(Filters.create(popular), false)
            .replacedBy(larger, false, Optional.empty(), 1_700_000_000_001L));
    return states;
  }

  private static Snapshot run(DuplicateFilter filter, boolean audited) {
    Audit audit = new Audit(AuditSpec.oneIn(16).memory(4096), filter.spec());
    long admitted = 0;
    filter.advanceTo(1_700_000_000_000L);
    for (long hash : Specs.hashes(1500, 1)) {
      boolean fresh = filter.admit(hash);
      admitted += fresh ? 1 : 0;
      audit.observe(hash, fresh);
    }
    Snapshot state =
        Snapshot.of(filter, 1500, admitted)
            .withSavedAt(1_700_000_000_000L)
            .with(Map.of("source", "fixture"));
    return audited ? state.with(audit) : state;
  }

  private static String verdicts(Snapshot state) {
    CRC32C crc = new CRC32C();
    long[] hashes = Specs.hashes(3500, 1); // the first 1,500 are those that the state has seen
    for (int i = 1500; i < hashes.length; i++) {
      crc.update(state.filter().admit(hashes[i]) ? 1 : 0);
    }
    return "%08x".formatted(crc.getValue());
  }

  @Test
  void files_of_version_1_load_and_go_on_for_ever() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, Snapshot> state : states().entrySet()) {
      Path file = DIRECTORY.resolve(state.getKey() + ".uns");
      if (Boolean.getBoolean("fixtures.write") && !Files.exists(file)) {
        Files.createDirectories(DIRECTORY);
        Files.write(file, Bytes.of(state.getValue()));
      }
      Snapshot loaded = Bytes.read(Files.readAllBytes(file));
      assertThat(loaded.spec()).as(state.getKey()).isEqualTo(state.getValue().spec());
      assertThat(loaded.metadata()).isEqualTo(Map.of("source", "fixture"));
      assertThat(loaded.records()).isEqualTo(1500);
      assertThat(loaded.predecessors().stream().map(Snapshot::spec))
          .isEqualTo(state.getValue().predecessors().stream().map(Snapshot::spec).toList());
      assertThat(loaded.admitted()).isEqualTo(state.getValue().admitted());
      assertThat(loaded.audit().map(Audit::report))
          .isEqualTo(state.getValue().audit().map(Audit::report));
      found.put(state.getKey(), verdicts(loaded));
    }
    assertThat(found).isEqualTo(new TreeMap<>(VERDICTS));
  }

  /** What is written today is what was written then, to the byte. */
  @Test
  void version_1_is_still_written_the_same() throws IOException {
    for (Map.Entry<String, Snapshot> state : states().entrySet()) {
      try (InputStream file =
          FixtureTest.class.getResourceAsStream("v1/" + state.getKey() + ".uns")) {
        assertThat(Bytes.of(state.getValue())).as(state.getKey()).isEqualTo(file.readAllBytes());
      }
    }
  }

  /** A state with a window keeps all that its audit has counted. */
  @Test
  void an_audit_with_a_window_is_the_same_after_a_restart() throws IOException {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 1500).window(Window.records(900)).build();
    Snapshot state = run(Filters.create(spec), true);
    assertThat(Report.of(Bytes.read(Bytes.of(state))).audit()).isEqualTo(Report.of(state).audit());
  }
}
