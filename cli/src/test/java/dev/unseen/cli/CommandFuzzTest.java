package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.io.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Any options on any bytes: the command does what it is asked for, or says in words why not.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for twenty minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl cli -am test -Dtest=CommandFuzzTest -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Djazzer.hooks=true -Djazzer.max_duration=20m
 * </pre>
 */
class CommandFuzzTest {
  private static final List<String> FLAGS =
      List.of(
          "-d",
          "-c",
          "-z",
          "-i",
          "-q",
          "-h",
          "-V",
          "--header",
          "--no-header",
          "--trim",
          "--refresh",
          "--no-refresh",
          "--repeated",
          "--fail-on-duplicate",
          "--stats",
          "--stats=json",
          "--progress",
          "--progress=never");

  private static final List<String> WITH_VALUE =
      List.of(
          "-k",
          "-f",
          "-t",
          "-o",
          "-m",
          "-p",
          "--on-error",
          "--duplicates-to",
          "--tag",
          "--window",
          "--time",
          "--max-time-ahead",
          "--kind",
          "--share",
          "--hashes",
          "--hash",
          "--seed",
          "--state",
          "--save-every",
          "--audit",
          "--threads",
          "--metrics-port");

  private static final List<String> VALUES =
      List.of(
          "1",
          "2",
          "0",
          "-1",
          "1e-4",
          "0.5",
          "id",
          "a.b",
          "2,1",
          "1-3",
          "csv",
          "tsv",
          "jsonl",
          "lines",
          ",",
          "\\t",
          ";",
          "1K",
          "64K",
          "1M",
          "24h",
          "1ms",
          "100",
          "10M",
          "bloom",
          "recency",
          "rlbsbf",
          "sbf",
          "rsbf",
          "sampled",
          "bsbfsd",
          "auto",
          "xxh3",
          "siphash",
          "1/2",
          "1/1024",
          "fail",
          "pass",
          "skip",
          "at",
          "seen",
          "-",
          "",
          "/dev/null",
          "@in");

  private static final List<String> NAMES =
      List.of("in", "in.csv", "in.jsonl", "in.tsv", "in.gz", "in.json");

  @FuzzTest
  void no_failure_is_an_internal_error(FuzzedDataProvider data) throws IOException {
    Path dir = Files.createTempDirectory("fuzz");
    try {
      List<String> args = args(data, dir);
      String file = file(dir, data.pickValue(NAMES));
      args.addAll(
          List.of(file, file, "-m", "64K", "--max-fpr=1e-4")); // one may be an option's value
      byte[] input = data.consumeRemainingAsBytes();
      for (String name : NAMES) {
        Files.write(dir.resolve(name), input);
      }
      assertUnderstood(args, dir);
    } finally {
      delete(dir);
    }
  }

  @FuzzTest
  void no_state_is_an_internal_error(FuzzedDataProvider data) throws IOException {
    Path dir = Files.createTempDirectory("fuzz");
    try {
      List<String> args = new ArrayList<>();
      args.add(data.pickValue(List.of("inspect", "merge", "plan", "help")));
      for (int i = data.consumeInt(0, 5); i > 0; i--) {
        args.add(
            data.pickValue(
                List.of(
                    "--json",
                    "--force",
                    "-o",
                    "--max-fpr",
                    "--memory",
                    "--records",
                    "--distinct",
                    "--all",
                    "plan",
                    "inspect",
                    "1000",
                    "0.5",
                    "64K",
                    file(dir, "in"),
                    file(dir, "in2"),
                    file(dir, "out"),
                    data.consumeString(8))));
      }
      byte[] input = data.consumeRemainingAsBytes();
      Files.write(dir.resolve("in"), input);
      Files.write(dir.resolve("in2"), input);
      assertUnderstood(args, dir);
    } finally {
      delete(dir);
    }
  }

  private static List<String> args(FuzzedDataProvider data, Path dir) {
    List<String> args = new ArrayList<>();
    for (int i = data.consumeInt(0, 8); i > 0; i--) {
      if (data.consumeBoolean()) {
        args.add(data.pickValue(FLAGS));
      } else {
        String option = data.pickValue(WITH_VALUE);
        args.add(option);
        if (List.of("-o", "--duplicates-to", "--state").contains(option)) {
          args.add(file(dir, data.pickValue(List.of("out", "out.gz", "in", "state", "no/dir"))));
        } else {
          args.add(data.consumeBoolean() ? data.pickValue(VALUES) : data.consumeString(10));
        }
      }
    }
    if (data.consumeBoolean()) {
      args.add(data.consumeString(10));
    }
    return args;
  }

  private static String file(Path dir, String name) {
    return dir.resolve(name).toString();
  }

  private static void assertUnderstood(List<String> args, Path dir) {
    args.replaceAll(arg -> arg.replace("\0", "")); // no system passes it on
    args.replaceAll(
        arg -> arg.equals(Source.STDIN) ? "x" : arg); // the test's own input may not end
    ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    int code =
        Main.run(
            args.toArray(String[]::new),
            OutputStream.nullOutputStream(),
            new PrintStream(stderr, true, UTF_8));
    String printed = stderr.toString(UTF_8);
    assertThat(printed)
        .as("%s", String.join(" ", args).replace(dir.toString(), "DIR"))
        .doesNotContain("internal error")
        .doesNotContain("Exception");
    assertThat(code).isBetween(0, 4);
    if (code == 1 || code == 2) {
      assertThat(printed).isNotEmpty();
    }
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
