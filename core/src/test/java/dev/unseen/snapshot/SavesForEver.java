package dev.unseen.snapshot;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A process that goes on from states, saves each again and again in a thread of its own, and says
 * so each time: to be killed.
 */
final class SavesForEver {
  private SavesForEver() {}

  public static void main(String[] files) {
    for (int i = 0; i < files.length; i++) {
      int which = i;
      new Thread(() -> save(which, Path.of(files[which]))).start();
    }
  }

  private static void save(int which, Path path) {
    try (StateFile file = StateFile.open(path)) {
      Optional<Snapshot> before = file.load();
      DuplicateFilter filter =
          before
              .map(Snapshot::filter)
              .orElseGet(() -> Filters.create(FilterSpec.of(FilterKind.BLOOM, 300_000)));
      long generation = before.map(SavesForEver::generation).orElse(0L);
      while (true) {
        generation++;
        filter.admit(Mix.mix(generation));
        file.save(
            Snapshot.of(filter, generation, generation)
                .with(Map.of("generation", Long.toString(generation))));
        tell(which + " " + generation + "\n");
      }
    } catch (IOException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1); // whoever waits for the others is told
    }
  }

  private static synchronized void tell(String line) throws IOException {
    System.out.write(line.getBytes(StandardCharsets.US_ASCII));
    System.out.flush();
  }

  static long generation(Snapshot snapshot) {
    return Long.parseLong(snapshot.metadata().get("generation"));
  }
}
