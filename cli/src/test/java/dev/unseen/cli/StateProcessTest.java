package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterKind;
import dev.unseen.hash.HashKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code unseen inspect} and {@code unseen merge} as processes. */
final class StateProcessTest {
  @TempDir private Path dir;

  private static Run unseen(Object... args) {
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    return Run.of(new byte[0], words);
  }

  private Path save(String name, Deduplicator.Builder<Long> builder, long from, long to)
      throws IOException {
    Deduplicator<Long> dedup = builder.build();
    for (long i = from; i < to; i++) {
      dedup.admit(i);
      dedup.admit(i / 2);
    }
    Path file = dir.resolve(name);
    dedup.save(file, Map.of("offset", Long.toString(to)));
    return file;
  }

  private static Deduplicator.Builder<Long> builder(FilterKind kind, long memory) {
    return Deduplicator.builder(Keys.longs()).kind(kind).memory(memory);
  }

  /** Room for the keys of one state, at 1 % of errors; not for those of two. */
  private static Deduplicator.Builder<Long> planned() {
    return builder(FilterKind.BLOOM, 3_000).expecting(3_000, 0.5).maxFalsePositiveRate(0.01);
  }

  /** All fields that are not objects, by name. */
  private static Map<String, String> fields(String json) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken().isScalarValue()) {
          fields.put(
              parser.getParsingContext().pathAsPointer().toString(),
              parser.currentToken() == JsonToken.VALUE_NULL ? null : parser.getText());
        }
      }
    }
    return fields;
  }

  @Test
  void inspect_tells_people_what_is_in_a_state() throws IOException {
    Path file = save("s.uns", builder(FilterKind.BLOOM, 64_000), 0, 10_000);
    Run run = unseen("inspect", file);
    assertThat(run.stderr()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.text())
        .startsWith(
            "file           %s, %,d bytes, version 1, whole\n".formatted(file, Files.size(file)))
        .containsPattern("saved          20\\d\\d-.*Z, \\d+ seconds? ago\n")
        .contains("filter         bloom k=7, 62.5 KiB\n")
        .contains("hash           xxh3, seed 0\n")
        .contains("records        20,000\n")
        .containsPattern("load           1\\d\\.\\d %\n")
        .containsPattern("estimated FPR  [0-9.e-]+ %\n")
        .contains("text           offset = 10000\n");
  }

  @Test
  void inspect_tells_programs_the_same() throws IOException {
    Path file =
        save(
            "s.uns",
            builder(FilterKind.RECENCY, 64_000)
                .hash(HashKind.SIPHASH)
                .seed(123_456_789)
                .audit(AuditSpec.oneIn(16)),
            0,
            10_000);
    Run run = unseen("inspect", file, "--json");
    assertThat(run.exitCode()).isZero();
    assertThat(run.text()).as("the seed is a secret").doesNotContain("123456789");
    assertThat(fields(run.text()))
        .containsEntry("/integrity", "whole")
        .containsEntry("/spec/kind", "recency")
        .containsEntry("/spec/memoryBytes", "64000")
        .containsEntry("/spec/hash", "siphash")
        .containsEntry("/spec/seed", null)
        .containsEntry("/records", "20000")
        .containsEntry("/maxFpr", "1.0E-4")
        .containsEntry("/audit/oneIn", "16")
        .containsEntry("/metadata/offset", "10000")
        .containsKeys(
            "/audit/auditedFpr/rate", "/audit/auditedFpr/low", "/audit/auditedFnr/high", "/load");
  }

  /** A show of the issue. */
  @Test
  void one_changed_byte_gives_exit_code_3_and_names_the_block() throws IOException {
    Path file = save("s.uns", builder(FilterKind.BLOOM, 3 << 20), 0, 1000);
    byte[] bytes = Files.readAllBytes(file);
    bytes[1_500_000] ^= 1;
    Files.write(file, bytes);
    Run run = unseen("inspect", file);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.text()).isEmpty();
    assertThat(run.stderr())
        .startsWith("unseen: %s: block 3 (storage, from byte ".formatted(file))
        .contains("checksum")
        .hasLineCount(1);
    Run json = unseen("inspect", file, "--json");
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(fields(json.text()).get("/integrity")).isEqualTo("damaged");
    assertThat(fields(json.text()).get("/error")).contains("block 3 ");
    assertThat(Files.readAllBytes(file)).as("untouched").isEqualTo(bytes);
  }

  @Test
  void what_is_no_state_is_told_from_what_is_not_there() throws IOException {
    Path empty = Files.createFile(dir.resolve("empty"));
    assertThat(unseen("inspect", empty).exitCode()).isEqualTo(3);
    assertThat(unseen("inspect", dir).exitCode()).isEqualTo(3);
    Run none = unseen("inspect", dir.resolve("none"));
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.stderr())
        .isEqualTo(
            "unseen: %s: there is no such file or directory\n".formatted(dir.resolve("none")));
    Run usage = unseen("inspect");
    assertThat(usage.exitCode()).isEqualTo(2);
    assertThat(usage.stderr()).contains("try 'unseen inspect --help'");
    assertThat(unseen("inspect", "--help").text()).contains("Exit code: 0 whole");
  }

  @Test
  void merge_joins_states_and_tells_the_effect() throws IOException {
    Path a = save("a.uns", builder(FilterKind.BLOOM, 64_000), 0, 5_000);
    Path b = save("b.uns", builder(FilterKind.BLOOM, 64_000), 5_000, 10_000);
    Path c = dir.resolve("c.uns");
    Run run = unseen("merge", a, b, "-o", c);
    assertThat(run.exitCode()).isZero();
    assertThat(run.text())
        .startsWith("bloom k=7, 62.5 KiB\n")
        .containsPattern("records +load +estimated FPR +state\n")
        .containsPattern(" +20,000 +1\\d\\.\\d % .*/c.uns\n")
        .contains("that of one filter that had seen all of the records");
    assertThat(run.stderr())
        .contains("b.uns: the text 'offset' is '10000' here; '5000', which came before, is kept");
    Deduplicator<Long> joined = Deduplicator.load(Keys.longs(), c);
    assertThat(joined.records()).isEqualTo(20_000);
    for (long i = 0; i < 10_000; i++) {
      assertThat(joined.mightContain(i)).isTrue();
    }
    Run again = unseen("merge", a, b, "-o", c);
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.stderr()).contains("is there already").contains("--force");
  }

  @Test
  void merge_refuses_filters_that_differ_and_results_that_lose_too_much() throws IOException {
    Path a = save("a.uns", planned(), 0, 1_500);
    Path b = save("b.uns", planned(), 1_500, 3_000);
    Path other = save("o.uns", builder(FilterKind.BLOOM, 4_000), 0, 10);
    Path c = dir.resolve("c.uns");
    Run differ = unseen("merge", a, other, "-o", c);
    assertThat(differ.exitCode()).isEqualTo(2);
    assertThat(differ.stderr()).contains("the filters differ");
    Run tooMuch = unseen("merge", a, b, "-o", c);
    assertThat(tooMuch.exitCode()).isEqualTo(2);
    assertThat(tooMuch.stderr()).contains("would lose").contains("and 1.00 % are allowed");
    assertThat(c).doesNotExist();
    Run forced = unseen("merge", a, b, "-o", c, "--force");
    assertThat(forced.exitCode()).isZero();
    assertThat(c).exists();
  }
}
