package dev.unseen.cli;

import dev.unseen.Memory;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/** Lets the first occurrences through, in order: what {@code unseen} does without a subcommand. */
final class DedupCommand {
  private final DedupOptions options;

  DedupCommand(DedupOptions options) {
    this.options = options;
  }

  /** Runs to the end of the last file. */
  void run(OutputStream stdout, PrintStream stderr) throws Failure {
    long began = System.nanoTime();
    DuplicateFilter filter = filter();
    RecordWriter out = new RecordWriter(stdout);
    LinePass pass = new LinePass(filter, out);
    try {
      for (String file : files()) {
        try (Input input = Input.open(file, out::flush)) {
          pass.run(new LineBlocks(input));
        }
      }
    } finally {
      out.flush(); // whatever ends it, what was let through is written
    }
    if (!options.quiet()) {
      double seconds = (System.nanoTime() - began) / 1e9;
      stderr.println("unseen: " + new Summary(pass.records(), pass.admitted(), seconds, filter));
    }
  }

  private List<String> files() {
    return options.files().isEmpty() ? List.of("-") : options.files();
  }

  private DuplicateFilter filter() throws Failure {
    try {
      FilterKind kind = FilterKind.of(options.kind());
      FilterSpec.Builder spec =
          FilterSpec.builder(kind, Memory.parse(options.memory())).seed(seed());
      if (options.hashes() != null) {
        spec.hashes(hashes(kind));
      }
      return spec.build().build();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  private int hashes(FilterKind kind) {
    try {
      return Integer.parseInt(options.hashes());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "hashes (%s) must be 1 to %d for %s"
              .formatted(options.hashes(), kind.maxHashes(), kind.id()),
          e);
    }
  }

  private long seed() {
    try {
      return Long.parseLong(options.seed());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "seed (%s) must be a whole number of at most 64 bits".formatted(options.seed()), e);
    }
  }
}
