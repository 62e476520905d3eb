package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that are no state, or a forged one, are refused in words; what is read can be saved again.
 *
 * <p>A build runs the states below. To look for inputs that fail, with coverage as a guide, for
 * five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl core -am test -Dtest=SnapshotFuzzTest#bytes_with* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
final class SnapshotFuzzTest {
  /** A small state of each kind, one with a window and one with an audit, to begin with. */
  static Stream<Arguments> states() {
    FilterSpec bloom = FilterSpec.of(FilterKind.BLOOM, 64);
    return Stream.concat(
            Stream.of(FilterKind.values())
                .map(kind -> Snapshot.of(Filters.create(FilterSpec.of(kind, 64)), 0, 0)),
            Stream.of(
                Snapshot.of(windowed(), 9, 5).with(Map.of("offset", "17", "", "x")),
                Snapshot.of(Filters.create(bloom), 1, 1)
                    .with(new Audit(AuditSpec.oneIn(8).memory(4096), bloom))))
        .map(snapshot -> Arguments.of((Object) Bytes.of(snapshot)));
  }

  private static DuplicateFilter windowed() {
    return Filters.create(
        FilterSpec.builder(FilterKind.RECENCY, 64).window(Window.records(80)).build());
  }

  @MethodSource("states")
  @FuzzTest
  void bytes_are_rejected_or_read(byte[] bytes) {
    readOrRefuse(bytes);
  }

  /** Behind the checksums there is more to get wrong, which a fuzzer would never reach. */
  @MethodSource("states")
  @FuzzTest
  void bytes_with_right_checksums_are_rejected_or_read(byte[] bytes) {
    readOrRefuse(Bytes.withRightChecksums(bytes));
  }

  private static void readOrRefuse(byte[] bytes) {
    try {
      byte[] saved = Bytes.of(Bytes.read(bytes));
      assertThat(Bytes.of(Bytes.read(saved))).isEqualTo(saved);
    } catch (SnapshotException e) {
      assertThat(e).hasMessageStartingWith("test.uns: ");
    } catch (IOException e) {
      throw new AssertionError("reading from an array cannot fail otherwise", e);
    }
  }
}
