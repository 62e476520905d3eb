package dev.unseen.snapshot;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A process that goes on from a state, saves it again and again, and says so each time: to be
 * killed.
 */
final class SavesForEver {
  private SavesForEver() {}

  public static void main(String[] args) throws IOException {
    try (StateFile file = StateFile.open(Path.of(args[0]))) {
      Optional<Snapshot> before = file.load();
      DuplicateFilter filter =
          before
              .map(Snapshot::filter)
              .orElseGet(() -> FilterSpec.of(FilterKind.BLOOM, 300_000).build());
      long generation = before.map(SavesForEver::generation).orElse(0L);
      while (true) {
        generation++;
        filter.admit(Mix.mix(generation));
        file.save(
            Snapshot.of(filter, generation, generation)
                .with(Map.of("generation", Long.toString(generation))));
        System.out.write((generation + "\n").getBytes(StandardCharsets.US_ASCII));
        System.out.flush();
      }
    }
  }

  static long generation(Snapshot snapshot) {
    return Long.parseLong(snapshot.metadata().get("generation"));
  }
}
