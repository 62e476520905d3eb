package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Specs;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A state that cannot be loaded never replaces one that can. */
final class CheckedSaveTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(names = {"RECENCY", "BLOOM", "SBF", "RSBF"})
  void a_spoiled_filter_is_not_saved_over_a_good_one(FilterKind kind) throws IOException {
    Path path = dir.resolve("s.uns");
    DuplicateFilter filter = Filters.create(FilterSpec.of(kind, 4096));
    for (long hash : Specs.hashes(1000, 1)) {
      filter.admit(hash);
    }
    try (StateFile file = StateFile.open(path)) {
      file.save(Snapshot.of(filter, 1000, 1000));
      byte[] good = Files.readAllBytes(path);
      spoil((Stateful) filter);
      assertThatThrownBy(() -> file.save(Snapshot.of(filter, 1000, 1000)))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("s.uns")
          .hasMessageContaining("the state is not saved, and the file stays as it was")
          .hasMessageEndingWith("was the filter used by several threads without concurrent()?");
      assertThat(Files.readAllBytes(path)).isEqualTo(good);
      assertThat(dir.resolve("s.uns.new")).doesNotExist();
      file.save(Snapshot.of(Filters.create(FilterSpec.of(kind, 4096)), 0, 0));
      assertThat(StateFile.read(path).records()).isZero();
    }
  }

  /** Changes the last number before the storage, as a lost update of a count does. */
  private static void spoil(Stateful filter) throws IOException {
    Numbers all = new Numbers(-1);
    filter.state(all);
    filter.state(new Numbers(all.visited - 1));
  }

  private static final class Numbers implements StateVisitor {
    private final int changed;
    private int visited;

    Numbers(int changed) {
      this.changed = changed;
    }

    @Override
    public long number(String name, long value, long min, long max) {
      return visited++ == changed ? value + 1 : value;
    }

    @Override
    public double real(String name, double value, double min, double max) {
      return value;
    }

    @Override
    public void words(Words words, StorageCheck check) {}
  }
}
