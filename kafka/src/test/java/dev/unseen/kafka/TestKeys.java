package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keys and certificates that Java's own keytool makes for a test. */
record TestKeys(Path directory) {
  static final String PASSWORD = "changeit";

  /** Makes a key with a certificate of its own for localhost, and a store of those who trust it. */
  static TestKeys make(Path directory, String name) throws Exception {
    TestKeys keys = new TestKeys(directory.resolve(name));
    assertThat(keys.directory.toFile().mkdir()).isTrue();
    keytool(
        "-genkeypair",
        "-keyalg RSA -keysize 2048 -alias broker -dname CN=localhost -ext SAN=dns:localhost",
        keys.key());
    keytool("-exportcert", "-alias broker -file " + keys.directory.resolve("cert"), keys.key());
    keytool(
        "-importcert",
        "-noprompt -alias broker -file " + keys.directory.resolve("cert"),
        keys.trust());
    return keys;
  }

  private static void keytool(String task, String options, String store) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add(task);
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("-keystore", store, "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private String key() {
    return directory.resolve("key.p12").toString();
  }

  private String trust() {
    return directory.resolve("trust.p12").toString();
  }

  /** Returns what a broker needs that shows this certificate. */
  Map<String, String> broker() {
    return Map.of(
        "ssl.keystore.location",
        key(),
        "ssl.keystore.password",
        PASSWORD,
        "ssl.truststore.location",
        trust(),
        "ssl.truststore.password",
        PASSWORD);
  }

  /** Returns what a client needs that trusts this certificate. */
  Map<String, String> client() {
    return Map.of("ssl.truststore.location", trust(), "ssl.truststore.password", PASSWORD);
  }
}
