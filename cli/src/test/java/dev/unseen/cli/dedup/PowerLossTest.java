package dev.unseen.cli.dedup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.io.Source;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power goes off after every step that a run takes on the disk: whatever is left, each record
 * that the state counts is in the output or among the duplicates.
 */
class PowerLossTest {
  private static final int RECORDS = 120_000;
  private static final int KEYS = 80_000;

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "stdout,none",
    "stdout,twice",
    "stdout,twice.gz",
    "out,none",
    "out,twice",
    "out.gz,twice.zst"
  })
  void no_record_that_a_state_counts_is_lost(String output, String duplicates) throws Exception {
    RecordingDisk disk = new RecordingDisk();
    Path in = Files.write(dir.resolve("in"), lines(0, RECORDS));
    Path out = dir.resolve(output);
    Path twice = dir.resolve(duplicates);
    Path state = dir.resolve("state");
    Map<String, String> options = options(state);
    if (!output.equals("stdout")) {
      Files.writeString(out, "older\n");
      options.put("--output", out.toString());
    }
    if (!duplicates.equals("none")) {
      options.put("--duplicates-to", twice.toString());
    }
    try (FileOutputStream stdout = disk.openForUser(dir.resolve("stdout"))) {
      assertThat(run(options, in, stdout, disk)).isZero();
    }
    int saved = 0;
    for (RecordingDisk.Image image : disk.images()) {
      if (image.files().containsKey(state)) {
        saved++;
        long counted = read(image.files().get(state)).records();
        Set<String> fresh = new HashSet<>(unpacked(out, image));
        Set<String> held = duplicates.equals("none") ? null : new HashSet<>(unpacked(twice, image));
        assertSafe(counted, fresh, held, image.step());
      }
    }
    assertThat(saved).isPositive();
    assertThat(unpacked(out, last(disk))).hasSize(KEYS);
  }

  /** An output that is replaced is there as a whole or not at all, with a state or without. */
  @Test
  void an_older_output_is_replaced_by_a_whole_one_or_not_at_all() throws Exception {
    RecordingDisk disk = new RecordingDisk();
    Path in = Files.write(dir.resolve("in"), lines(0, RECORDS));
    Path out = Files.writeString(dir.resolve("out"), "older\n");
    Map<String, String> options = options(null);
    options.put("--output", out.toString());
    assertThat(run(options, in, new ByteArrayOutputStream(), disk)).isZero();
    for (RecordingDisk.Image image : disk.images()) {
      if (image.files().containsKey(out)) { // else the older one is there
        assertThat(unpacked(out, image)).as(image.step()).hasSize(KEYS);
      }
    }
    assertThat(last(disk).files()).containsKey(out);
  }

  @Test
  void what_a_file_of_duplicates_had_before_the_run_is_never_lost() throws Exception {
    RecordingDisk disk = new RecordingDisk();
    Path in = Files.write(dir.resolve("in"), lines(0, RECORDS));
    Path twice = Files.writeString(dir.resolve("twice"), "older\n");
    Map<String, String> options = options(dir.resolve("state"));
    options.put("--duplicates-to", twice.toString());
    assertThat(run(options, in, new ByteArrayOutputStream(), disk)).isZero();
    assertThat(disk.images()).isNotEmpty();
    for (RecordingDisk.Image image : disk.images()) {
      assertThat(unpacked(twice, image)).as(image.step()).startsWith("older");
    }
    assertThat(unpacked(twice, last(disk))).hasSize(1 + RECORDS - KEYS);
  }

  private static void assertSafe(long counted, Set<String> fresh, Set<String> held, String step) {
    for (int i = 0; i < counted; i++) {
      String line = line(i);
      boolean first = i < KEYS;
      if (!(first ? fresh.contains(line) : held == null || held.contains(line))) {
        fail("record %d of %d counted is lost, power off after: %s", i, counted, step);
      }
    }
  }

  private Map<String, String> options(Path state) {
    Map<String, String> options = new HashMap<>();
    options.put("--quiet", "");
    options.put("--kind", "bloom");
    options.put("--memory", "1M"); // 105 bits for each key: no two are taken for one
    options.put("--separator", ":");
    options.put("--key", "1");
    if (state != null) {
      options.put("--state", state.toString());
      options.put("--save-every", "1ms");
    }
    return options;
  }

  private static int run(
      Map<String, String> options, Path in, java.io.OutputStream stdout, Disk disk)
      throws CliException {
    DedupOptions all = DedupOptions.of(new GivenOptions(options), List.of(in.toString()));
    return new DedupCommand(all, stdout, new PrintStream(new ByteArrayOutputStream()), disk).run();
  }

  private static RecordingDisk.Image last(RecordingDisk disk) {
    return disk.images().get(disk.images().size() - 1);
  }

  private static Snapshot read(byte[] state) throws IOException {
    return Snapshot.read(Channels.newChannel(new ByteArrayInputStream(state)), "state");
  }

  private static List<String> unpacked(Path path, RecordingDisk.Image image) throws IOException {
    byte[] bytes = image.files().getOrDefault(path, new byte[0]);
    List<String> lines = new ArrayList<>();
    if (bytes.length > 0) {
      Source source = Source.of(new ByteArrayInputStream(bytes), path.toString());
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      try {
        for (int n; (n = source.read(buffer, 0, buffer.length)) >= 0; ) {
          all.write(buffer, 0, n);
        }
      } catch (IOException e) {
        // The end of what is compressed is lost: what comes before it can be read.
      }
      all.toString(US_ASCII).lines().forEach(lines::add);
    }
    return lines;
  }

  private static byte[] lines(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(line(i)).append('\n');
    }
    return text.toString().getBytes(US_ASCII);
  }

  private static String line(int i) {
    return i % KEYS + ":" + i;
  }
}
