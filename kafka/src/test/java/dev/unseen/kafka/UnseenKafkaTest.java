package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.File;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/** The command, as a user starts it. */
class UnseenKafkaTest {
  private final TestKafka kafka = TestKafka.shared();
  private final StringWriter err = new StringWriter();
  private final StringWriter out = new StringWriter();
  @TempDir private Path directory;

  private int run(String... args) {
    return new UnseenKafka().run(new PrintWriter(out), new PrintWriter(err, true), args);
  }

  private String[] args(String from, String to, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--bootstrap",
                kafka.address(),
                "--from",
                from,
                "--to",
                to,
                "--exit-at-end",
                "--state-dir",
                directory.toString()));
    args.addAll(List.of(more));
    if (!args.contains("-m")) {
      args.addAll(List.of("-m", "1M"));
    }
    return args.toArray(String[]::new);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, int partition, long time, String key, String value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            partition,
            time,
            key == null ? null : key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8));
    record.headers().add("trace", ("t" + time).getBytes(UTF_8));
    return record;
  }

  private static String shown(ConsumerRecord<byte[], byte[]> record) {
    return "%d %d %s %s %s"
        .formatted(
            record.partition(),
            record.timestamp(),
            record.key() == null ? "-" : new String(record.key(), UTF_8),
            record.value() == null ? "-" : new String(record.value(), UTF_8),
            Stream.of(record.headers().toArray())
                .map(header -> header.key() + "=" + new String(header.value(), UTF_8))
                .toList());
  }

  @Test
  void records_keep_all_they_have_and_each_goes_where_it_was_asked_to() throws Exception {
    String in = kafka.topic("in", 2);
    String to = kafka.topic("to", 3);
    String duplicates = kafka.topic("duplicates", 2);
    String rejects = kafka.topic("rejects", 2);
    kafka.sendAll(
        List.of(
            record(in, 1, 1, "k", "{\"id\":1}"),
            record(in, 1, 2, null, "{\"id\":2}"),
            record(in, 1, 3, "other", "{\"id\":1,\"n\":2}"),
            record(in, 1, 4, "k", null),
            record(in, 1, 5, "k", "{\"id\":"),
            record(in, 0, 6, "k", "{\"id\":1}"),
            record(in, 1, 7, "k", "{\"no\":1}")));

    assertThat(
            run(args(in, to, "-k", "id", "--duplicates-to", duplicates, "--rejects-to", rejects)))
        .as(err.toString())
        .isZero();

    assertThat(kafka.read(to).stream().map(UnseenKafkaTest::shown))
        .containsExactlyInAnyOrder(
            "1 1 k {\"id\":1} [trace=t1]",
            "1 2 - {\"id\":2} [trace=t2]",
            "1 4 k - [trace=t4]",
            "0 6 k {\"id\":1} [trace=t6]");
    assertThat(kafka.read(duplicates).stream().map(UnseenKafkaTest::shown))
        .containsExactly("1 3 other {\"id\":1,\"n\":2} [trace=t3]");
    assertThat(kafka.read(rejects).stream().map(UnseenKafkaTest::shown))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("1 5 k {\"id\": [trace=t5, unseen.reason=line 1, column ")
                    .endsWith("unseen.place=" + in + ", partition 1, offset 4]"),
            second -> assertThat(second).contains("has no field 'id', which is the key"));
    assertThat(err.toString())
        .contains("7 records, 3 delivered once, 1 duplicate, 2 without a key, 1 tombstone");
  }

  @Test
  void a_second_run_goes_on_and_another_filter_or_key_is_rejected() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    kafka.send(in, List.of("{\"id\":1}", "{\"id\":2}"));
    assertThat(run(args(in, to, "-k", "id"))).isZero();
    kafka.send(in, List.of("{\"id\":2}", "{\"id\":3}"));

    assertThat(run(args(in, to, "-k", "id"))).as(err.toString()).isZero();
    assertThat(kafka.texts(to)).containsExactly("{\"id\":1}", "{\"id\":2}", "{\"id\":3}");

    assertThat(run(args(in, to, "-k", "name"))).isEqualTo(3);
    assertHasNoMembers("unseen-" + in + "-" + to); // so the next run does not wait for it
    assertThat(err.toString())
        .contains("--key: 'key id' (bytes) and 'key name' (bytes)")
        .contains("start with an empty filter")
        .doesNotContain("--grow");

    assertThat(run(args(in, to, "-k", "id", "--max-fpr", "1e-6"))).isEqualTo(3);
    assertThat(err.toString()).contains("change them without forgetting any key with --grow");
    kafka.send(in, List.of("{\"id\":3}", "{\"id\":4}"));
    assertThat(run(args(in, to, "-k", "id", "--max-fpr", "1e-6", "--grow")))
        .as(err.toString())
        .isZero();
    assertThat(kafka.texts(to))
        .containsExactly("{\"id\":1}", "{\"id\":2}", "{\"id\":3}", "{\"id\":4}");
  }

  private void assertHasNoMembers(String group) throws Exception {
    assertThat(
            kafka
                .admin()
                .describeConsumerGroups(List.of(group))
                .describedGroups()
                .get(group)
                .get()
                .members())
        .isEmpty();
  }

  @Test
  void records_that_are_too_late_pass_or_are_rejected_or_end_the_run() throws Exception {
    String in = kafka.topic("in", 1);
    long hour = 3_600_000;
    kafka.sendAll(
        List.of(
            record(in, 0, 9 * hour, "a", "first"),
            record(in, 0, 9 * hour, "a", "again"),
            record(in, 0, hour, "a", "late")));
    String all = kafka.topic("to", 1);
    assertThat(run(args(in, all, "--window", "1h"))).as(err.toString()).isZero();
    assertThat(kafka.texts(all)).containsExactly("first", "late");

    String some = kafka.topic("to", 1);
    String rejects = kafka.topic("rejects", 1);
    String[] drop = {"--window", "1h", "--late", "drop", "--rejects-to", rejects};
    assertThat(run(args(in, some, drop))).as(err.toString()).isZero();
    assertThat(kafka.texts(some)).containsExactly("first");
    assertThat(kafka.read(rejects).stream().map(UnseenKafkaTest::shown))
        .satisfiesExactly(
            late ->
                assertThat(late)
                    .contains("a late [", "1970-01-01T01:00:00Z, is too late or too far ahead")
                    .endsWith("unseen.place=" + in + ", partition 0, offset 2]"));
    assertThat(err.toString())
        .contains("3 records, 1 delivered once, 1 duplicate, 1 too late to check");

    assertThat(run(args(in, kafka.topic("to", 1), "--window", "1h", "--late", "fail")))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains(in + ", partition 0, offset 2: a record has the time 1970-01-01T01:00:00Z")
        .contains("raise --max-lateness");
  }

  @Test
  void a_record_without_a_key_ends_the_run_unless_it_is_said_otherwise() throws Exception {
    String in = kafka.topic("in", 1);
    kafka.sendAll(
        List.of(
            record(in, 0, 1, "a", "1"), record(in, 0, 2, null, "2"), record(in, 0, 3, "a", "3")));

    assertThat(run(args(in, kafka.topic("to", 1)))).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "unseen: %s, partition 0, offset 1: the record has no key; choose what happens to such records with --on-error or --rejects-to"
                .formatted(in))
        .doesNotContain("Exception");

    String to = kafka.topic("to", 1);
    assertThat(run(args(in, to, "--on-error", "pass"))).isZero();
    assertThat(kafka.texts(to)).containsExactly("1", "2");
  }

  @Test
  void topics_that_cannot_be_are_reported_with_the_remedy() throws Exception {
    String in = kafka.topic("in", 3);
    String small = kafka.topic("small", 1);

    assertThat(run(args("nowhere", small))).isEqualTo(1);
    assertThat(run(args(in, "nowhere"))).isEqualTo(1);
    assertThat(run(args(in, small))).isEqualTo(1);
    assertThat(run("-b", kafka.address(), "--from", "in/", "--to", small, "--application-id", "a"))
        .isEqualTo(1);

    assertThat(CommandProcess.withoutWaits(err.toString()).lines())
        .containsExactly(
            "unseen: --from 'nowhere' is not a topic of this cluster; correct the name, or create it: kafka-topics --create --topic nowhere --partitions 1",
            "unseen: --to 'nowhere' is not a topic of this cluster; correct the name, or create it: kafka-topics --create --topic nowhere --partitions 3",
            "unseen: --to '%s' has 1 partitions and '%s' has 3, and records stay in their partition; add partitions: kafka-topics --alter --topic %s --partitions 3"
                .formatted(small, in, small),
            "unseen: 'in/' cannot be a topic: names have letters, digits, '.', '_' and '-' alone, and at most 249 of them");
  }

  @Test
  void a_heap_without_room_for_the_filters_is_reported() throws Exception {
    String in = kafka.topic("in", 2);
    Process process =
        CommandProcess.start(
            directory.resolve("err").toFile(),
            args(in, kafka.topic("to", 2), "-m", "450M")); // of which each half has room
    assertThat(Patience.exitCode(process)).isEqualTo(1);
    assertThat(CommandProcess.withoutWaits(Files.readString(directory.resolve("err"))))
        .startsWith("unseen: Java's heap of ")
        .contains("has no room for the filters")
        .contains("UNSEEN_JAVA_OPTS=-Xmx8g")
        .doesNotContain("Exception");
  }

  @Test
  void a_broker_that_does_not_answer_is_waited_for_and_reported() {
    assertThat(run("-b", "localhost:1", "--from", "a", "--to", "b", "--patience", "1s"))
        .isEqualTo(1);

    assertThat(err.toString().lines())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("unseen: localhost:1 does not answer (")
                    .endsWith("); trying again for 1s"),
            last ->
                assertThat(last)
                    .isEqualTo(
                        "unseen: localhost:1 has not answered for 1s: nothing listens there; start it, or correct --bootstrap"));
  }

  @Test
  void wrong_options_are_reported_before_anything_runs() {
    Map<String, String> more =
        Map.of(
            "-b h:1 --from a --to b --duplicates-to b",
            "--to and --duplicates-to are both 'b'",
            "-b h:1 --from a --to b --rejects-to b",
            "--to and --rejects-to are both 'b'",
            "-b h:1 --from a --to b --rejects-to c --duplicates-to c",
            "are both 'c'",
            "-b h:1 --from a --to b --application-id a/b",
            "application-id 'a/b' must be of",
            "-b h:1 --from a --to b --application-id " + "x".repeat(250),
            "has 250 characters");
    Map<String, String> wrong = new HashMap<>(more);
    wrong.putAll(
        Map.of(
            "--from a --to b", "--bootstrap is missing",
            "-b h:1 --to b", "--from is missing",
            "-b h:1 --from a --to a", "--to 'a' is the topic that is read",
            "-b h:1 --from a --to b --window 10M", "--window (10000000 records) must be a time",
            "-b h:1 --from a --to b --on-error maybe", "on-error 'maybe' is unknown",
            "-b h:1 --from a --to b --tombstones x", "tombstones 'x' is unknown; known: pass, drop",
            "-b h:1 --from a --to b --threads 0", "threads (0) must be a number from 1 to 256",
            "-b h:1 --from a --to b -k a[x", "a[x",
            "-b h:1 --from a --to b --trim", "--trim is for fields of the value",
            "-b h:1 --from - --to b -k record-key", "standard input have no record-key"));
    wrong.forEach(
        (line, message) -> {
          err.getBuffer().setLength(0);
          assertThat(run(line.split(" "))).as(line).isEqualTo(2);
          assertThat(err.toString()).as(line).contains(message).contains("unseen kafka --help");
        });
    assertThat(run("--help")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("--application-id", "drops a new record by mistake")
        .doesNotContain("exactly once");
  }

  /** Lines go through Kafka and come out once; TERM then ends a run that would wait for more. */
  @Test
  void standard_input_and_output_are_topics_too_and_a_signal_ends_cleanly() throws Exception {
    File log = directory.resolve("err").toFile();
    String id = TestKafka.name("app");
    String[] common = {
      "-b",
      kafka.address(),
      "-m",
      "1M",
      "--state-dir",
      directory.toString(),
      "--application-id",
      id,
    };
    List<String> first = new ArrayList<>(List.of(common));
    first.addAll(List.of("--from", "-", "--to", "-"));
    Process process = CommandProcess.start(log, first.toArray(String[]::new));
    try (OutputStream lines = process.getOutputStream()) {
      lines.write("a\nb\r\na\nc d\n".getBytes(UTF_8));
    }
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("a\nb\r\nc d\n");
    assertThat(Patience.exitCode(process)).isZero();
    assertThat(CommandProcess.withoutWaits(Files.readString(log.toPath())))
        .isEqualTo("unseen: 4 records, 3 delivered once, 1 duplicate\n");

    String in = kafka.topic("in", 1);
    kafka.send(in, List.of("x", "x", "y"));
    List<String> second = new ArrayList<>(List.of(common));
    second.set(second.size() - 1, id + "b");
    second.addAll(List.of("--from", in, "--to", "-", "--metrics-port", "0"));
    Process waiting = CommandProcess.start(log, second.toArray(String[]::new));
    byte[] lines = waiting.getInputStream().readNBytes(4);
    assertThat(new String(lines, UTF_8)).isEqualTo("x\ny\n");
    waiting.destroy();
    assertThat(Patience.exitCode(waiting)).isEqualTo(128 + 15);
    assertThat(kafka.lag(id + "b", in)).as("committed").isZero();
    assertThat(Files.readString(log.toPath())).contains("3 records, 2 delivered once");
  }

  /** The command line makes manual pages from the declaration, and has no jar of Kafka then. */
  @Test
  void the_declaration_needs_no_kafka() throws Exception {
    List<URL> jars = new ArrayList<>();
    for (Class<?> needed :
        List.of(
            UnseenKafka.class,
            dev.unseen.Gate.class,
            dev.unseen.commands.GivenOptions.class,
            dev.unseen.io.KeySpec.class)) {
      jars.add(needed.getProtectionDomain().getCodeSource().getLocation());
    }
    ClassLoader picocliOnly =
        new ClassLoader(ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("picocli.")) {
              return CommandSpec.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
          }
        };
    try (URLClassLoader loader = new URLClassLoader(jars.toArray(URL[]::new), picocliOnly)) {
      Object tool =
          loader.loadClass(UnseenKafka.class.getName()).getDeclaredConstructor().newInstance();
      assertThat(((CommandSpec) ((Supplier<?>) tool).get()).optionsMap())
          .containsKeys("--from", "--to");
    }
  }

  @Test
  void figures_are_served_for_prometheus() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    kafka.send(in, List.of("x", "x", "y"));
    int port;
    try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process process =
        CommandProcess.start(
            directory.resolve("err").toFile(),
            "-b",
            kafka.address(),
            "--from",
            in,
            "--to",
            to,
            "--metrics-port",
            Integer.toString(port),
            "--state-dir",
            directory.toString());
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://localhost:%d/metrics".formatted(port))).build();
      HttpClient client = HttpClient.newHttpClient();
      String page =
          await("the figures of the filter")
              .failFast("the command has ended", () -> !process.isAlive())
              .ignoreException(ConnectException.class)
              .until(
                  () -> client.send(request, HttpResponse.BodyHandlers.ofString()).body(),
                  body -> body.contains("unseen_memory_bytes{task=\"0_0\"}"));
      assertThat(page)
          .contains("unseen_kafka_lag ")
          .contains("# TYPE unseen_records_total counter");
    } finally {
      process.destroy();
      process.waitFor();
    }
  }
}
