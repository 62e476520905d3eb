package dev.unseen.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.kafka.EmbeddedBroker;
import dev.unseen.testing.FreePort;
import dev.unseen.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar as `flink run` takes it, on a session cluster of real processes that have nothing but
 * Flink: what the jar lacks is missing there.
 */
class FlinkRunIT {
  private static final Path JAR = Path.of("target/unseen-flink-job.jar").toAbsolutePath();
  private static final List<String> NOT_FLINK =
      List.of("unseen", "connector-kafka", "kafka-clients", "picocli", "zstd", "lz4", "xz-");

  private static final List<Process> PROCESSES = new ArrayList<>();

  @TempDir static Path cluster;
  @TempDir Path directory;

  @BeforeAll
  static void start_cluster() throws Exception {
    int rest = FreePort.find();
    configure(rest, FreePort.find());
    start("jobmanager", StandaloneSessionClusterEntrypoint.class, "--configDir", conf());
    start("taskmanager", TaskManagerRunner.class, "--configDir", conf());
    awaitRest(rest);
  }

  @AfterAll
  static void end_processes() throws InterruptedException {
    for (Process process : PROCESSES) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_cluster_runs_the_jar() throws Exception {
    Path events = directory.resolve("events.jsonl");
    Files.writeString(events, "{\"id\":1}\n{\"id\":2}\n{\"id\":1}\n{\"id\":3}\n");
    String log = run("-f", "jsonl", "-k", "id", "-i", events.toString(), "-o", out());
    assertThat(log).contains("unseen: 4 records, 3 new, 1 duplicate");
    assertThat(written()).containsExactlyInAnyOrder("{\"id\":1}", "{\"id\":2}", "{\"id\":3}");
  }

  @Test
  void a_group_goes_on_behind_what_the_cluster_has_read(@TempDir Path data) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(data)) {
      String[] job = {
        "--bootstrap", broker.address(), "--from", "in", "--exit-at-end", "-o", out()
      };
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
        admin.createTopics(List.of(new NewTopic("in", 2, (short) 1))).all().get();
      }
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", broker.address()),
              new ByteArraySerializer(),
              new ByteArraySerializer())) {
        for (int i = 0; i < 10; i++) {
          producer
              .send(new ProducerRecord<>("in", i % 2, null, "v%d".formatted(i).getBytes(UTF_8)))
              .get();
        }
      }
      assertThat(run(job)).contains("unseen: 10 records, 10 new");
      assertThat(run(job)).contains("unseen: 0 records");
      assertThat(written()).hasSize(10);
    }
  }

  private String out() {
    return directory.resolve("out").toString();
  }

  private List<String> written() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  /** Runs a job on the cluster, and returns what it says. */
  private static String run(String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("run", JAR.toString(), "--parallelism", "2"));
    all.addAll(List.of(args));
    Process run = start("run", CliFrontend.class, all.toArray(String[]::new));
    assertThat(Patience.exitCode(run)).as(log("run") + log("taskmanager")).isZero();
    return log("run");
  }

  private static String conf() {
    return cluster.resolve("conf").toString();
  }

  private static void configure(int restPort, int rpcPort) throws IOException {
    Files.createDirectories(cluster.resolve("conf"));
    Files.writeString(
        cluster.resolve("conf/config.yaml"),
        """
        jobmanager.rpc.address: localhost
        jobmanager.rpc.port: %d
        rest.address: localhost
        rest.port: %d
        pekko.ask.timeout: 300 s
        taskmanager.host: localhost
        taskmanager.numberOfTaskSlots: 2
        taskmanager.cpu.cores: 2
        taskmanager.memory.framework.heap.size: 128m
        taskmanager.memory.framework.off-heap.size: 128m
        taskmanager.memory.jvm-metaspace.size: 128m
        taskmanager.memory.jvm-overhead.min: 64m
        taskmanager.memory.jvm-overhead.max: 64m
        taskmanager.memory.task.heap.size: 256m
        taskmanager.memory.task.off-heap.size: 0m
        taskmanager.memory.network.min: 32m
        taskmanager.memory.network.max: 32m
        taskmanager.memory.managed.size: 16m
        """
            .formatted(rpcPort, restPort));
  }

  private static Process start(String name, Class<?> main, String... args) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                flink(),
                main.getName()));
    line.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(cluster.resolve(name + ".log").toFile());
    builder.environment().put("FLINK_CONF_DIR", conf());
    Process process = builder.start();
    PROCESSES.add(process);
    return process;
  }

  /** Returns the class path of a cluster: that of the tests, without what is ours. */
  private static String flink() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(all.split(File.pathSeparator, -1))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> NOT_FLINK.stream().noneMatch(new File(entry).getName()::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String log(String name) throws IOException {
    return Files.readString(cluster.resolve(name + ".log"), UTF_8);
  }

  private static void awaitRest(int port) {
    Patience.await("the JobManager to listen")
        .failFast(() -> assertThat(PROCESSES).allMatch(Process::isAlive))
        .ignoreException(ConnectException.class)
        .untilAsserted(() -> new Socket("localhost", port).close());
  }
}
