package dev.unseen.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Ports that are no broker; the tests of the Kafka command have real ones, with certificates. */
class BrokerDiagnosisTest {
  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getByName("localhost"));
  }

  /** Hangs up on everybody, as a broker without TLS does on a handshake. */
  private static String hangingUp(ServerSocket server) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  Socket caller = server.accept();
                  caller.close();
                }
              } catch (IOException e) {
                // the end of the test
              }
            });
    thread.start();
    return "localhost:" + server.getLocalPort();
  }

  @Test
  void a_port_where_nothing_listens_may_answer_later() throws IOException {
    String address;
    try (ServerSocket server = listen()) {
      address = "localhost:" + server.getLocalPort();
    }

    BrokerDiagnosis trouble = BrokerDiagnosis.of(address, null);

    assertThat(trouble.passing()).isTrue();
    assertThat(trouble.text()).isEqualTo("nothing listens there; start it, or correct --bootstrap");
    assertThat(BrokerDiagnosis.of("nonsense", "ssl")).isEqualTo(trouble);
  }

  @Test
  void the_first_of_several_brokers_that_listens_is_looked_at() throws IOException {
    try (ServerSocket server = listen()) {
      String address = hangingUp(server);

      BrokerDiagnosis plain = BrokerDiagnosis.of("localhost:1, PLAINTEXT://" + address, null);
      assertThat(plain.passing()).isTrue();
      assertThat(plain.text()).startsWith("it takes connections but answers no request");

      BrokerDiagnosis tls = BrokerDiagnosis.of("localhost:1," + address, "sasl_ssl");
      assertThat(tls.passing()).isFalse();
      assertThat(tls.text())
          .startsWith("it has no TLS, and security.protocol is SASL_SSL; set it to PLAINTEXT");
    }
  }

  /**
   * A busy broker has not finished its handshake in time. That does not mean that it has no TLS.
   */
  @Test
  void a_port_that_says_nothing_may_answer_later() throws IOException {
    try (ServerSocket server = listen()) {
      String address = "localhost:" + server.getLocalPort();

      BrokerDiagnosis trouble = BrokerDiagnosis.of(address, "SSL", 100);

      assertThat(trouble.passing()).isTrue();
      assertThat(trouble.text()).startsWith("it takes connections but answers no request");
    }
  }
}
