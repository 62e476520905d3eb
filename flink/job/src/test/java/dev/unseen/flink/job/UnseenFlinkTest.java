package dev.unseen.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    assertThat(err.toString()).contains("parallelism (129) must be 1 to 128");
  }
}
