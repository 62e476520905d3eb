package dev.unseen.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job that needs no code, as a user starts it. */
class UnseenFlinkTest {
  @TempDir Path directory;

  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return new UnseenFlink()
        .run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), args);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private List<String> written(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory.resolve(name))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void each_key_is_written_once_and_what_the_shell_has_seen_is_not() throws Exception {
    Files.writeString(
        directory.resolve("events.jsonl"),
        "{\"id\":1,\"n\":1}\n{\"id\":2}\n{\"id\":1,\"n\":2}\n{\"id\":3}");
    Gate gate =
        Gate.builder()
            .memory(Memory.MiB(1))
            .keyForm(new KeyForm("bytes", "key id"))
            .concurrent()
            .build();
    gate.admit(gate.hash().hash("2"));
    gate.save(directory.resolve("s.uns"), Map.of());
    String[] plain = {
      "-f", "jsonl", "-k", "id", "-i", path("events.jsonl"), "--parallelism", "2", "-o",
    };
    assertThat(run(with(plain, path("out"), "--duplicates-to", path("again")))).isZero();
    assertThat(written("out"))
        .containsExactlyInAnyOrder("{\"id\":1,\"n\":1}", "{\"id\":2}", "{\"id\":3}");
    assertThat(written("again")).containsExactly("{\"id\":1,\"n\":2}");
    assertThat(run(with(plain, path("out2"), "--initial-state", path("s.uns")))).isZero();
    assertThat(written("out2")).containsExactlyInAnyOrder("{\"id\":1,\"n\":1}", "{\"id\":3}");
  }

  @Test
  void a_filter_grows_if_that_is_asked_for() throws Exception {
    Files.writeString(directory.resolve("in"), "a\nb\nc\n");
    Gate gate =
        Gate.builder()
            .memory(Memory.MiB(1))
            .keyForm(new KeyForm("bytes", "the whole record"))
            .concurrent()
            .build();
    gate.admit(gate.hash().hash("b"));
    gate.save(directory.resolve("s.uns"), Map.of());
    String[] larger = {
      "-i", path("in"), "--initial-state", path("s.uns"), "-m", "2M", "-o", path("out"),
    };
    assertThat(run(larger)).isEqualTo(2);
    assertThat(err.toString())
        .contains("(--memory: 1,048,576 and 2,097,152 bytes)")
        .contains("without forgetting any key with --grow");
    assertThat(run(with(larger, "--grow", "--parallelism", "2", "--max-handover", "1d"))).isZero();
    assertThat(written("out")).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void records_that_are_too_late_pass_or_are_dropped_or_end_the_job() throws Exception {
    String first = "{\"id\":1,\"t\":1700000000000}";
    String late = "{\"id\":1,\"t\":1600000000000}";
    Files.writeString(directory.resolve("events.jsonl"), first + "\n" + late + "\n");
    String[] plain = {
      "-k", "id", "--time", "t", "--window", "1h", "-i", path("events.jsonl"), "-o",
    };
    assertThat(run(with(plain, path("all")))).isZero();
    assertThat(written("all")).containsExactly(first, late);
    assertThat(run(with(plain, path("some"), "--late", "drop"))).isZero();
    assertThat(written("some")).containsExactly(first);
    assertThat(err.toString())
        .contains("1 record, 1 new, 0 duplicates, 1 too late to check, dropped");
    assertThat(run(with(plain, path("none"), "--late", "fail"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("the job failed: a record has the time 2020-09-13T12:26:40Z")
        .contains("raise --max-lateness");
    assertThat(run(with(plain, path("other"), "--late", "never"))).isEqualTo(2);
    assertThat(err.toString()).contains("--late 'never' is unknown; known: admit, drop, fail");
  }

  private static String[] with(String[] args, String... more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void what_cannot_be_is_told_in_a_line() throws Exception {
    assertThat(run("-i", path("none"), "-o", path("out"))).isEqualTo(2);
    assertThat(err.toString()).contains("none").contains("try 'unseen flink --help'");
    Files.writeString(directory.resolve("bad.jsonl"), "{\"id\":1}\nnot json\n");
    assertThat(run("-k", "id", "-i", path("bad.jsonl"), "-o", path("out"))).isEqualTo(1);
    assertThat(err.toString()).contains("the job failed").contains("line 2");
    assertThat(run("-i", path("bad.jsonl"), "-o", path("out"), "--parallelism", "129"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("parallelism (129) must be a number from 1 to 128; a filter has 128 shards");
  }

  /** A second run into the same directory would write the keys of the first again. */
  @Test
  void a_directory_that_has_files_is_rejected() throws Exception {
    Files.writeString(directory.resolve("in"), "a\nb\na\n");
    assertThat(run("-i", path("in"), "-o", path("out"))).isZero();

    assertThat(run("-i", path("in"), "-o", path("out"))).isEqualTo(2);
    assertThat(err.toString()).contains("--output '%s' has files already".formatted(path("out")));
    assertThat(written("out")).containsExactly("a", "b");
    assertThat(run("-i", path("in"), "-o", path("in"))).isEqualTo(2);
    assertThat(err.toString()).contains("--output '%s' is a file".formatted(path("in")));
    assertThat(run("-i", path("in"), "-o", path("new"), "--duplicates-to", path("out")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--duplicates-to '%s' has files".formatted(path("out")));
  }

  @Test
  void places_that_would_mix_are_rejected() {
    Map<String, String> wrong =
        Map.of(
            "-b h:1 --from a --to a", "--from and --to are both 'a'",
            "-b h:1 --from a --to b --duplicates-to b", "--to and --duplicates-to are both 'b'",
            "-b h:1 --from a --to b --duplicates-to a", "--from and --duplicates-to are both 'a'",
            "-i a -o b --duplicates-to b", "--output and --duplicates-to are both 'b'",
            "-i a -o b --seed x", "seed 'x' must be a whole number");
    wrong.forEach(
        (line, message) -> {
          err.getBuffer().setLength(0);
          assertThat(run(line.replace("-i a", "-i " + path("")).split(" "))).isEqualTo(2);
          assertThat(err.toString()).as(line).contains(message);
        });
  }

  @Test
  void a_file_that_is_cut_off_is_named() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"id\":1}\n".repeat(1000).getBytes(StandardCharsets.UTF_8));
    }
    Files.write(
        directory.resolve("cut.jsonl.gz"), Arrays.copyOf(packed.toByteArray(), packed.size() / 2));

    assertThat(run("-k", "id", "-i", path("cut.jsonl.gz"), "-o", path("out"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("cut.jsonl.gz")
        .contains("Unexpected end of ZLIB input stream");
  }
}
