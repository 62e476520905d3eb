package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with a broker that wants TLS and a password. */
class CredentialsTest {
  private static final String PLAIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required";
  private static final String SCRAM =
      "org.apache.kafka.common.security.scram.ScramLoginModule required";

  @TempDir private static Path shared;
  private static TestKeys keys;
  private static TestKafka kafka;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    keys = TestKeys.make(shared, "broker");
    Map<String, String> settings = new HashMap<>(keys.broker());
    settings.put("listener.security.protocol.map", "CLIENTS:SASL_SSL,CONTROLLER:PLAINTEXT");
    settings.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
    settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    settings.put(
        "listener.name.clients.plain.sasl.jaas.config",
        PLAIN + " username='broker' password='b' user_broker='b' user_ann='secret';");
    settings.put("listener.name.clients.scram-sha-512.sasl.jaas.config", SCRAM + ";");
    kafka = TestKafka.start(settings, plain("secret"));
    kafka
        .admin()
        .alterUserScramCredentials(
            List.of(
                new UserScramCredentialUpsertion(
                    "ben", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), "secret")))
        .all()
        .get();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static Map<String, String> plain(String password) {
    return client("PLAIN", "%s username='ann' password='%s';".formatted(PLAIN, password));
  }

  private static Map<String, String> scram(String password) {
    return client("SCRAM-SHA-512", "%s username='ben' password='%s';".formatted(SCRAM, password));
  }

  private static Map<String, String> client(String mechanism, String login) {
    Map<String, String> client = new HashMap<>(keys.client());
    client.put("security.protocol", "SASL_SSL");
    client.put("sasl.mechanism", mechanism);
    client.put("sasl.jaas.config", login);
    return client;
  }

  private String config(Map<String, String> client) throws IOException {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", kafka.address());
    properties.putAll(client);
    Path config = directory.resolve("client.properties");
    try (OutputStream out = Files.newOutputStream(config)) {
      properties.store(out, null);
    }
    return config.toString();
  }

  private static String[] with(String[] args, String... more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
  }

  /** Runs the command as a process, with little heap; returns its exit code and what it says. */
  private String run(String lines, Map<String, String> client, String... more) throws Exception {
    String[] args = {
      "--config", config(client), "-m", "1M", "--state-dir", directory.toString(),
    };
    File err = directory.resolve("err").toFile();
    Process process = CommandProcess.start(err, with(args, more));
    try (OutputStream in = process.getOutputStream()) {
      in.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = Patience.exitCode(process);
    return code + "\n" + out + CommandProcess.withoutWaits(Files.readString(err.toPath()));
  }

  /** Returns the settings that docs/kafka.md shows, with the address and the file of this test. */
  private static Map<String, String> documented() throws IOException {
    String page = Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/kafka.md"));
    String block = page.split("```properties\n", 2)[1].split("```", 2)[0];
    Properties shown = new Properties();
    shown.load(new StringReader(block));
    assertThat(shown.put("bootstrap.servers", kafka.address())).isNotNull();
    assertThat(shown.put("ssl.truststore.location", keys.client().get("ssl.truststore.location")))
        .isNotNull();
    Map<String, String> settings = new HashMap<>();
    shown.stringPropertyNames().forEach(name -> settings.put(name, shown.getProperty(name)));
    return settings;
  }

  @Test
  void a_topic_is_read_and_written_with_tls_and_a_password() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    kafka.send(in, List.of("a", "b", "a"));

    assertThat(run("", documented(), "--from", in, "--to", to, "--exit-at-end"))
        .isEqualTo("0\nunseen: 3 records, 2 delivered once, 1 duplicate\n");
    assertThat(kafka.texts(to)).containsExactly("a", "b");
  }

  @Test
  void standard_input_and_output_go_by_tls_and_scram() throws Exception {
    String id = TestKafka.name("app");
    assertThat(
            run("x\ny\nx\n", scram("secret"), "--from", "-", "--to", "-", "--application-id", id))
        .isEqualTo("0\nx\ny\nunseen: 3 records, 2 delivered once, 1 duplicate\n");
  }

  /** Returns what the command says in this process, which fails. */
  private String reported(Map<String, String> client, String... more) throws Exception {
    StringWriter err = new StringWriter();
    String[] args = {
      "-b", kafka.address(), "--config", config(client), "--from", "a", "--to", "b",
    };
    assertThat(
            new UnseenKafka()
                .run(new PrintWriter(new StringWriter()), new PrintWriter(err), with(args, more)))
        .isEqualTo(1);
    assertThat(err.toString()).doesNotContain("\tat ");
    return CommandProcess.withoutWaits(err.toString())
        .replace(kafka.address(), "HOST")
        .replace(shared.toString(), "");
  }

  private static Map<String, String> with(Map<String, String> client, String name, String value) {
    Map<String, String> changed = new HashMap<>(client);
    changed.put(name, value);
    return changed;
  }

  @Test
  void a_wrong_login_or_certificate_is_reported_at_once() throws Exception {
    assertThat(reported(plain("wrong")))
        .isEqualTo(
            "unseen: HOST rejects: Authentication failed: Invalid username or password; correct the login in --config (sasl.*)\n");
    assertThat(reported(scram("wrong")))
        .contains("invalid credentials")
        .contains("correct the login");
    Map<String, String> stranger = plain("secret");
    stranger.putAll(TestKeys.make(directory, "stranger").client());
    assertThat(reported(stranger))
        .startsWith("unseen: HOST rejects: ")
        .endsWith("; correct the certificates in --config (ssl.truststore.*, ssl.keystore.*)\n")
        .hasLineCount(1);
  }

  @Test
  void settings_that_cannot_be_are_reported_at_once() throws Exception {
    Map<String, String> good = plain("secret");
    assertThat(reported(with(good, "ssl.truststore.location", "/nowhere/trust.p12")))
        .contains("/nowhere/trust.p12: there is no such file or directory")
        .contains("correct --bootstrap or --config");
    assertThat(reported(with(good, "ssl.truststore.password", "wrong-one")))
        .contains("Failed to load SSL keystore /broker/trust.p12");
    assertThat(reported(with(good, "security.protocol", "TLS")))
        .contains("Invalid value TLS for configuration security.protocol");
    good.remove("sasl.jaas.config");
    assertThat(reported(good)).contains("JAAS");
  }

  /**
   * Kafka's client takes the first bytes of a TLS alert for the length of an answer, and asks for
   * 352 MB of heap, which this process does not have.
   */
  @Test
  void a_client_without_tls_learns_that_the_port_wants_it() throws Exception {
    assertThat(run("", Map.of(), "--from", "a", "--to", "b").replace(kafka.address(), "HOST"))
        .isEqualTo(
            "1\nunseen: HOST does not answer: it wants TLS, and security.protocol is PLAINTEXT; set it to SSL or SASL_SSL in --config\n");
  }

  @Test
  void a_client_without_a_login_learns_that_the_port_may_want_one() throws Exception {
    assertThat(reported(with(plain("secret"), "security.protocol", "SSL"), "--patience", "2s"))
        .isEqualTo(
            "unseen: HOST has not answered for 2s: it takes connections but answers no request; if it wants a login, set security.protocol and sasl.* in --config\n");
  }

  @Test
  void a_client_with_tls_learns_that_the_port_has_none() throws Exception {
    String address = TestKafka.shared().address();
    assertThat(
            run("", plain("secret"), "--from", "a", "--to", "b", "-b", address, "--patience", "2s"))
        .startsWith("1\nunseen: " + address)
        .contains("TLS");
  }
}
