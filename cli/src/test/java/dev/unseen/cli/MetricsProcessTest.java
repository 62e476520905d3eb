package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What clients of the metrics can do to a run that may have a hundred open files: nothing. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class MetricsProcessTest {
  private static final int IDLE = 2000;

  private final List<Socket> clients = new ArrayList<>();
  private Process process;
  private int port;

  @BeforeEach
  void start() throws IOException {
    String command =
        Run.command("--metrics-port", "0", "--kind", "bloom").command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    process = Run.plain(new ProcessBuilder("bash", "-c", "ulimit -n 100; exec " + command)).start();
    String where =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8)).readLine();
    port = Integer.parseInt(where.replaceAll("\\D+", " ").strip());
  }

  @AfterEach
  void end() throws Exception {
    for (Socket client : clients) {
      client.close();
    }
    process.destroyForcibly().waitFor();
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
    clients.add(client);
    return client;
  }

  private String ask(String request) throws IOException {
    Socket client = connect();
    client.getOutputStream().write(request.getBytes(US_ASCII));
    return new String(client.getInputStream().readAllBytes(), UTF_8);
  }

  private void assertServes() throws IOException {
    assertThat(ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("unseen_records_total");
  }

  private void assertRunsOn() throws IOException {
    OutputStream input = process.getOutputStream();
    input.write("a\nb\na\n".getBytes(UTF_8));
    input.flush();
    assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
    input.close();
    assertThat(Run.exitCode(process)).isZero();
  }

  @Test
  void a_stalled_client_keeps_no_other_one_waiting() throws IOException {
    connect().getOutputStream().write("GET /metr".getBytes(US_ASCII));
    connect();
    assertServes();
    assertRunsOn();
  }

  @Test
  void thousands_of_idle_clients_use_up_nothing() throws IOException {
    for (int i = 0; i < IDLE; i++) {
      connect();
    }
    assertServes();
    assertRunsOn();
  }

  @Test
  void a_client_that_says_nothing_is_left_after_a_while() throws IOException {
    Socket idle = connect();
    assertThat(idle.getInputStream().read()).isEqualTo(-1);
    Socket endless = connect();
    byte[] noise = new byte[9000];
    endless.getOutputStream().write(noise);
    assertThat(reads(endless)).isFalse();
    assertServes();
    assertRunsOn();
  }

  /** What is closed with bytes unread is reset. */
  private static boolean reads(Socket client) {
    try {
      return client.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void other_requests_are_answered_as_http_does() throws IOException {
    assertThat(ask("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 404 ");
    assertThat(ask("POST /metrics HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405 ");
    assertThat(ask("HEAD /metrics HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("\r\n\r\n");
    assertThat(ask("\r\n\r\n")).startsWith("HTTP/1.1 405 ");
    assertThat(ask("GET /metrics?name[]=x HTTP/1.0\n\n")).contains("unseen_load ");
    assertRunsOn();
  }
}
