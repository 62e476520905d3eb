package dev.unseen.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of other languages, by their real selves. They are fetched once, into target/clients.
 * What is not on this machine and cannot be fetched is skipped, and says so.
 */
class ProgramsTest {
  private static final List<String> SKIPPED = new java.util.ArrayList<>();

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @AfterAll
  static void tell() {
    SKIPPED.forEach(what -> System.err.println("ProgramsTest: skipped " + what));
  }

  private static void require(boolean there, String what) {
    if (!there) {
      SKIPPED.add(what);
    }
    assumeTrue(there, what + " is not here and cannot be fetched");
  }

  private String cli(String... words) throws Exception {
    String[] command = new String[words.length + 3];
    command[0] = "redis-cli";
    command[1] = "-p";
    command[2] = Integer.toString(server.port());
    System.arraycopy(words, 0, command, 3, words.length);
    return Programs.run(Path.of("."), command);
  }

  @Test
  void redis_cli_works() throws Exception {
    require(
        Programs.works(Path.of("."), "redis-cli", "--version"), "redis-cli (Debian: redis-tools)");
    assertThat(cli("BF.RESERVE", "clicks", "0.001", "1000000")).isEqualTo("0: OK");
    assertThat(cli("BF.ADD", "clicks", "a")).isEqualTo("0: 1");
    assertThat(cli("BF.ADD", "clicks", "a")).isEqualTo("0: 0");
    assertThat(cli("-3", "BF.ADD", "clicks", "b")).isEqualTo("0: (true)");
    assertThat(cli("SET", "event:1", "1", "NX", "EX", "86400")).isEqualTo("0: OK");
    assertThat(cli("SET", "event:1", "1", "NX", "EX", "86400")).isEqualTo("0: ");
    assertThat(cli("-3", "BF.INFO", "clicks")).contains("Capacity 1000000");
    assertThat(cli("--scan")).isEqualTo("0: clicks");
  }

  @Test
  void redis_cli_runs_transactions() throws Exception {
    require(
        Programs.works(Path.of("."), "redis-cli", "--version"), "redis-cli (Debian: redis-tools)");
    String lines = "MULTI\\nSET mm 1 NX EX 60\\n%s\\nEXISTS mm\\n";
    assertThat(piped(lines.formatted("DISCARD"))).isEqualTo("0: OK\nQUEUED\nOK\n0");
    assertThat(piped(lines.formatted("EXEC"))).isEqualTo("0: OK\nQUEUED\nOK\n1");
  }

  private String piped(String lines) throws Exception {
    String command = "printf '%s' | redis-cli -p %d".formatted(lines, server.port());
    return Programs.run(Path.of("."), "sh", "-c", command);
  }

  @Test
  void redis_cli_shows_how_many_clients_are_blocked() throws Exception {
    require(
        Programs.works(Path.of("."), "redis-cli", "--version"), "redis-cli (Debian: redis-tools)");
    String command = "redis-cli -p %d -i 0.01 --stat | head -3".formatted(server.port());
    // keys, memory, clients, blocked clients, requests, connections
    assertThat(Programs.run(Path.of("."), "sh", "-c", command))
        .containsPattern("(?m)^0 +0B +1 +0 +\\d+ ");
  }

  @Test
  void redis_benchmark_works() throws Exception {
    require(
        Programs.works(Path.of("."), "redis-benchmark", "--version"),
        "redis-benchmark (redis-tools)");
    String port = Integer.toString(server.port());
    assertThat(
            Programs.run(
                Path.of("."),
                "redis-benchmark",
                "-p",
                port,
                "-n",
                "20000",
                "-P",
                "64",
                "-r",
                "100000000",
                "-q",
                "BF.ADD",
                "k",
                "__rand_int__"))
        .contains("requests per second")
        .doesNotContain("ERR");
    assertThat(cli("BF.CARD", "k")).matches("0: 1?\\d\\d\\d\\d\\d|0: 20000");
  }

  private void node(String script, String... args) throws Exception {
    require(Programs.hasNode(), "node-redis and ioredis");
    Path copy = Programs.HOME.resolve(script);
    Files.copy(
        Path.of("src/test/resources/clients", script),
        copy,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    String[] command = new String[args.length + 3];
    command[0] = "node";
    command[1] = script;
    command[2] = Integer.toString(server.port());
    System.arraycopy(args, 0, command, 3, args.length);
    assertThat(Programs.run(Programs.HOME, command)).isEqualTo("0: ok");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void node_redis_works(String protocol) throws Exception {
    node("node-redis.mjs", protocol);
  }

  @Test
  void ioredis_works() throws Exception {
    node("ioredis.mjs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void redis_py_works(String protocol) throws Exception {
    String python = Programs.python();
    require(python != null, "redis-py");
    Path script = Path.of("src/test/resources/clients/redis_py.py").toAbsolutePath();
    assertThat(
            Programs.run(
                Programs.HOME,
                python,
                script.toString(),
                Integer.toString(server.port()),
                protocol))
        .isEqualTo("0: ok");
  }
}
