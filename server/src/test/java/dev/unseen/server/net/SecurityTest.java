package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {
  @TempDir Path directory;

  private Path users(String... lines) throws IOException {
    Path file = directory.resolve("users");
    Files.write(file, List.of(lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  @Test
  void wrong_passwords_are_slowed_down_and_counted() throws IOException {
    Path file = users("default s3cret admin");
    try (TestServer server = new TestServer("--auth-file", file.toString());
        RawClient guesser = server.client();
        RawClient honest = server.client()) {
      for (int i = 0; i < 5; i++) {
        assertThat(guesser.say("AUTH guess" + i)).startsWith("-WRONGPASS ");
      }
      long begin = System.nanoTime();
      assertThat(guesser.say("HELLO 2 AUTH default guess")).startsWith("-WRONGPASS ");
      assertThat(honest.say("AUTH s3cret")).isEqualTo("+OK"); // from the same address
      assertThat(System.nanoTime() - begin).isGreaterThan(1_000_000_000L);
      assertThat(honest.say("INFO stats")).contains("auth_failures:6\r\n");
      assertThat(guesser.say("PING")).startsWith("-NOAUTH");
    }
  }

  @Test
  void users_have_the_rights_of_the_file_and_no_more() throws IOException {
    Path file =
        users(
            "# name password rights",
            "default s3cret admin",
            "",
            "reader #5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8 read",
            "writer w write");
    try (TestServer server = new TestServer("--auth-file", file.toString());
        RawClient client = server.client();
        RawClient other = server.client()) {
      assertThat(client.say("PING")).isEqualTo("-NOAUTH Authentication required.");
      assertThat(client.say("BF.ADD f a")).isEqualTo("-NOAUTH Authentication required.");
      assertThat(client.say("NONSENSE")).isEqualTo("-NOAUTH Authentication required.");
      assertThat(client.say("HELLO 3")).startsWith("-NOAUTH HELLO must be called");
      assertThat(client.say("AUTH wrong")).startsWith("-WRONGPASS invalid username-password pair");
      assertThat(client.say("AUTH nobody s3cret")).startsWith("-WRONGPASS ");
      assertThat(client.say("AUTH s3cret")).isEqualTo("+OK");
      assertThat(client.say("ACL WHOAMI")).isEqualTo("'default'");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");

      assertThat(other.say("HELLO 3 AUTH reader password")).startsWith("%[");
      assertThat(other.say("BF.EXISTS f a")).isEqualTo("#t");
      assertThat(other.say("BF.ADD f b"))
          .startsWith("-NOPERM User reader has no permissions to run the 'bf.add' command");
      assertThat(other.say("SET k 1 NX EX 5")).startsWith("-NOPERM ");
      assertThat(other.say("AUTH writer w")).isEqualTo("+OK");
      assertThat(other.say("BF.ADD f b")).isEqualTo("#t");
      assertThat(other.say("FLUSHALL")).startsWith("-NOPERM ");
      assertThat(other.say("SHUTDOWN")).startsWith("-NOPERM ");
      assertThat(other.say("RESET")).isEqualTo("+RESET");
      assertThat(other.say("PING")).startsWith("-NOAUTH ");
    }
  }

  @Test
  void a_stranger_may_send_little() throws IOException {
    try (TestServer server = new TestServer("--auth-file", users("default x admin").toString());
        RawClient client = server.client()) {
      client.send("*11\r\n".getBytes(US_ASCII));
      assertThat(client.reply()).contains("11 arguments, the limit is 10");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void files_of_users_are_checked() throws IOException {
    Path file = users("default x");
    rejected("line 1 has 2 words", "--auth-file", file.toString());
    rejected("must be read, write or admin", "--auth-file", users("a b everything").toString());
    rejected("64 hexadecimal digits", "--auth-file", users("a #12 read").toString());
    rejected("this file has no user", "--auth-file", users("").toString());
    rejected(
        "line 3: the user 'a' is defined twice; keep one of the lines",
        "--auth-file",
        users("a x read", "b y read", "a z admin").toString());
    rejected("is a directory; name a file", "--auth-file", directory.toString());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    rejected("chmod 600", "--auth-file", file.toString());
  }

  @Test
  void other_machines_are_let_in_only_on_purpose() throws IOException {
    rejected("lets other machines in", "--bind", "0.0.0.0");
    new TestServer("--bind", "0.0.0.0", "--insecure").close();
    new TestServer("--bind", "0.0.0.0", "--auth-file", users("default x admin").toString()).close();
    rejected("--tls-cert and --tls-key belong together", "--tls-cert", "x");
    rejected("--http (70000) must be 0 to 65535", "--http", "70000");
    rejected("fsync 'sometimes'", "--fsync", "sometimes");
    rejected("--max-memory (900T) is more than the heap", "--max-memory", "900T");
  }

  private static void rejected(String why, String... args) {
    assertThatThrownBy(() -> new TestServer(args).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void connections_have_a_limit() throws IOException {
    try (TestServer server = new TestServer("--max-clients", "3")) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(server.client());
        assertThat(clients.get(i).say("PING")).isEqualTo("+PONG");
      }
      try (RawClient fourth = server.client()) {
        fourth.send(RawClient.request("PING"));
        assertThat(fourth.awaitReply()).as("it got the reason").isTrue();
        fourth.send(RawClient.request("PING")); // as a pool does that has not read yet
        fourth.send(RawClient.request("PING"));
        assertThat(fourth.reply()).startsWith("-ERR max number of clients reached (3)");
        assertThat(fourth.isClosed()).isTrue();
      }
      for (RawClient client : clients) {
        assertThat(client.say("PING")).isEqualTo("+PONG");
        client.close();
      }
    }
  }

  @Test
  void a_client_that_asks_nothing_is_sent_away() throws IOException {
    try (TestServer server = new TestServer("--idle-timeout", "3s");
        RawClient client = server.client()) {
      assertThat(client.say("PING")).isEqualTo("+PONG");
      client.send("*1\r\n$4\r\nPI".getBytes(US_ASCII)); // half a request is none
      assertThat(client.isClosed()).isTrue();
    }
  }

  /** A client sends 200 MB of requests whose replies would be as large, and reads none. */
  @Test
  void a_client_that_takes_no_replies_costs_little_memory() throws Exception {
    try (TestServer server = new TestServer();
        RawClient other = server.client()) {
      RawClient greedy = server.client();
      byte[] request = RawClient.request("ECHO", "x".repeat(1 << 20));
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 200; i++) {
                    greedy.send(request);
                  }
                } catch (IOException e) {
                  // It was closed, as it should be at the end.
                }
              });
      writer.start();
      writer.join(2000);
      assertThat(writer.isAlive()).isTrue(); // it has to wait
      assertThat(other.say("PING")).isEqualTo("+PONG");
      String stats = other.say("INFO stats");
      long received = Long.parseLong(stats.replaceAll("(?s).*input_bytes:(\\d+).*", "$1"));
      assertThat(received).isLessThan(64 << 20);
      greedy.close();
      writer.join();
    }
  }

  /** Makes a key and a certificate of its own. */
  private static void certificate(Path key, Path certificate, String... kind) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey"));
    command.addAll(List.of(kind));
    command.addAll(List.of("-subj", "/CN=localhost", "-keyout", key.toString()));
    command.addAll(List.of("-out", certificate.toString()));
    Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
    openssl.getInputStream().readAllBytes();
    assertThat(openssl.waitFor()).isZero();
  }

  @Test
  void a_key_of_another_certificate_is_rejected() throws Exception {
    Path rsa = directory.resolve("rsa.key");
    Path ec = directory.resolve("ec.key");
    Path certificate = directory.resolve("ec.pem");
    certificate(rsa, directory.resolve("rsa.pem"), "rsa:2048");
    certificate(
        directory.resolve("other.key"), certificate, "ec", "-pkeyopt", "ec_paramgen_curve:P-256");
    certificate(ec, certificate, "ec", "-pkeyopt", "ec_paramgen_curve:P-256");
    for (Path other : List.of(rsa, directory.resolve("other.key"))) {
      rejected(
          "the key does not belong to the certificate",
          "--tls-cert",
          certificate.toString(),
          "--tls-key",
          other.toString());
    }
    new TestServer("--tls-cert", certificate.toString(), "--tls-key", ec.toString()).close();
  }

  @Test
  void tls_is_spoken_with_pem_files() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("cert.pem");
    certificate(key, certificate, "rsa:2048");
    rejected("both must be PEM files", "--tls-cert", key.toString(), "--tls-key", key.toString());
    try (TestServer server =
        new TestServer("--tls-cert", certificate.toString(), "--tls-key", key.toString())) {
      SSLContext trusting = SSLContext.getInstance("TLS");
      trusting.init(null, new TrustManager[] {new TrustAll()}, null);
      try (RawClient client =
          new RawClient(
              trusting
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), server.port()))) {
        assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      }
      try (RawClient plain = server.client()) {
        plain.send(RawClient.request("PING"));
        assertThat(plain.isClosed()).isTrue();
      }
    }
  }

  private static String serialNumber(TestServer server) throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new TrustAll()}, null);
    try (SSLSocket socket =
        (SSLSocket)
            trusting
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSerialNumber()
          .toString();
    }
  }

  @Test
  void a_certificate_is_replaced_while_the_server_runs() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("cert.pem");
    certificate(key, certificate, "rsa:2048");
    try (TestServer server =
        new TestServer("--tls-cert", certificate.toString(), "--tls-key", key.toString())) {
      String first = serialNumber(server);
      assertThat(serialNumber(server)).isEqualTo(first);
      certificate(key, certificate, "rsa:2048");
      server.server().reload();
      String second = serialNumber(server);
      assertThat(second).isNotEqualTo(first);
      Files.writeString(certificate, "garbage");
      assertThatThrownBy(() -> server.server().reload())
          .hasMessageContaining("both must be PEM files");
      assertThat(serialNumber(server)).isEqualTo(second);
    }
  }

  /** Connects with a certificate, or without one if the key is null. */
  private static RawClient client(TestServer server, Path key, Path certificate) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (key != null) {
      Path both = key.resolveSibling(key.getFileName() + ".p12");
      Process openssl =
          new ProcessBuilder(
                  List.of(
                      "openssl",
                      "pkcs12",
                      "-export",
                      "-passout",
                      "pass:x",
                      "-inkey",
                      key.toString(),
                      "-in",
                      certificate.toString(),
                      "-out",
                      both.toString()))
              .redirectErrorStream(true)
              .start();
      openssl.getInputStream().readAllBytes();
      assertThat(openssl.waitFor()).isZero();
      try (InputStream in = Files.newInputStream(both)) {
        store.load(in, "x".toCharArray());
      }
    }
    keys.init(store, "x".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new TrustAll()}, null);
    return new RawClient(
        context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port()));
  }

  @Test
  void with_a_client_authority_only_clients_with_its_certificate_are_served() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("cert.pem");
    Path one = directory.resolve("one.pem");
    Path other = directory.resolve("other.pem");
    Path authorities = directory.resolve("ca.pem");
    certificate(key, certificate, "rsa:2048");
    certificate(directory.resolve("one.key"), one, "rsa:2048");
    certificate(directory.resolve("other.key"), other, "rsa:2048");
    Files.copy(one, authorities);
    rejected("--tls-client-ca needs TLS", "--tls-client-ca", authorities.toString());
    List<String> tls =
        List.of(
            "--tls-cert", certificate.toString(), "--tls-key", key.toString(), "--tls-client-ca");
    rejected("--tls-client-ca " + key + " cannot be used", args(tls, key));
    try (TestServer server = new TestServer(args(tls, authorities))) {
      try (RawClient client = client(server, directory.resolve("one.key"), one)) {
        assertThat(client.say("PING")).isEqualTo("+PONG");
      }
      try (RawClient client = client(server, directory.resolve("other.key"), other);
          RawClient anonymous = client(server, null, null)) {
        assertThatThrownBy(() -> client.say("PING")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> anonymous.say("PING")).isInstanceOf(IOException.class);
      }
      Files.copy(other, authorities, StandardCopyOption.REPLACE_EXISTING);
      server.server().reload();
      try (RawClient client = client(server, directory.resolve("other.key"), other);
          RawClient former = client(server, directory.resolve("one.key"), one)) {
        assertThat(client.say("PING")).isEqualTo("+PONG");
        assertThatThrownBy(() -> former.say("PING")).isInstanceOf(IOException.class);
      }
      Files.writeString(authorities, "");
      assertThatThrownBy(() -> server.server().reload())
          .hasMessageContaining("it must be a PEM file with the certificates");
    }
  }

  private static String[] args(List<String> options, Path last) {
    List<String> all = new ArrayList<>(options);
    all.add(last.toString());
    return all.toArray(String[]::new);
  }

  @Test
  void users_are_read_again_and_changed_ones_are_disconnected() throws IOException {
    Path file = users("default s3cret admin", "reader r read", "writer w write");
    try (TestServer server = new TestServer("--auth-file", file.toString());
        RawClient admin = server.client();
        RawClient reader = server.client();
        RawClient writer = server.client()) {
      assertThat(admin.say("AUTH s3cret")).isEqualTo("+OK");
      assertThat(reader.say("AUTH reader r")).isEqualTo("+OK");
      assertThat(writer.say("AUTH writer w")).isEqualTo("+OK");
      assertThat(writer.say("UN.RELOAD")).startsWith("-NOPERM ");
      users("default s3cret admin", "writer w write", "reader");
      assertThat(admin.say("UN.RELOAD"))
          .startsWith("-ERR nothing is reloaded, and all stays as it was: ")
          .contains("line 3 has 1 words");
      assertThat(reader.say("PING")).isEqualTo("+PONG");
      users("default s3cret admin", "writer w write", "new n read");
      assertThat(admin.say("UN.RELOAD")).isEqualTo("+OK");
      assertThat(reader.isClosed()).isTrue();
      assertThat(writer.say("BF.ADD f a")).isEqualTo(":1");
      assertThat(writer.say("AUTH new n")).isEqualTo("+OK");
      assertThat(writer.say("AUTH reader r")).startsWith("-WRONGPASS ");
    }
  }

  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws java.security.cert.CertificateException {
      try {
        chain[0].verify(chain[0].getPublicKey());
      } catch (GeneralSecurityException e) {
        throw new java.security.cert.CertificateException(e);
      }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
