package dev.unseen.spring.overhead;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.unseen.spring.idempotent.Idempotent;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Measures what the starter adds to a request with a new key: the same application with {@code
 * unseen.enabled=false} and with the default, in one process, alternating. It is no test, and runs
 * if it is named: {@code mvn -pl spring -am test -Dtest=StarterOverhead
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class StarterOverhead {
  private static final int BLOCK = 500;
  private static final int BLOCKS = 101;
  private static final int WARM_UP = 100;
  private static final String BODY = "{\"id\": \"a\", \"cents\": 100}";

  record Order(String id, int cents) {}

  @SpringBootApplication
  static class Application {}

  @RestController
  static class Shop {
    @PostMapping("/pay")
    @Idempotent
    public Order pay(@RequestBody Order order) {
      return order;
    }
  }

  @Test
  void measure() throws IOException {
    try (ConfigurableApplicationContext without = start(false);
        Client plain = new Client(without);
        ConfigurableApplicationContext with = start(true);
        Client keyed = new Client(with)) {
      for (int warmUp = 0; warmUp < WARM_UP; warmUp++) {
        plain.send();
        keyed.send();
      }
      double[] wall = new double[BLOCKS];
      double[] cpu = new double[BLOCKS];
      for (int block = 0; block < BLOCKS; block++) {
        Cost before = plain.send();
        Cost after = keyed.send();
        wall[block] = (double) after.wall / before.wall;
        cpu[block] = (double) after.cpu / before.cpu;
      }
      System.out.printf(
          "a request takes %.1f us, %.1f us of them CPU time of the server; with the starter %s of the time, %s of the CPU time%n",
          plain.wall / 1e3 / plain.sent, plain.cpu / 1e3 / plain.sent, percent(wall), percent(cpu));
    }
  }

  private static String percent(double[] ratios) {
    Arrays.sort(ratios);
    return "%.1f %% (half of the blocks: %.1f to %.1f)"
        .formatted(
            100 * ratios[BLOCKS / 2], 100 * ratios[BLOCKS / 4], 100 * ratios[3 * BLOCKS / 4]);
  }

  private static ConfigurableApplicationContext start(boolean enabled) {
    return new SpringApplicationBuilder(Application.class, Shop.class)
        .registerShutdownHook(false)
        .run(
            "--server.port=0",
            "--server.tomcat.max-keep-alive-requests=-1",
            "--spring.main.web-application-type=servlet",
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "--spring.jmx.enabled=false",
            "--server.tomcat.threads.max=1",
            "--unseen.enabled=" + enabled);
  }

  private record Cost(long wall, long cpu) {}

  /** Sends requests over one connection. */
  private static final class Client implements AutoCloseable {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Socket socket;
    private final InputStream in;
    private final long thread;
    private int key;
    private long sent;
    private long wall;
    private long cpu;

    Client(ConfigurableApplicationContext application) throws IOException {
      String port = application.getEnvironment().getProperty("local.server.port");
      socket = new Socket("localhost", Integer.parseInt(port));
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      request();
      thread = // the only worker of this server, which was started last
          Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
              .filter(info -> info != null && info.getThreadName().contains("-exec-"))
              .mapToLong(ThreadInfo::getThreadId)
              .max()
              .orElseThrow();
    }

    Cost send() throws IOException {
      long cpuBefore = threads.getThreadCpuTime(thread);
      long begin = System.nanoTime();
      for (int i = 0; i < BLOCK; i++) {
        request();
      }
      Cost cost = new Cost(System.nanoTime() - begin, threads.getThreadCpuTime(thread) - cpuBefore);
      sent += BLOCK;
      wall += cost.wall;
      cpu += cost.cpu;
      return cost;
    }

    private void request() throws IOException {
      String request =
          "POST /pay HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: key-%d\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(key++, BODY.length(), BODY);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String status = line();
      if (!status.contains(" 200")) {
        throw new IOException(status);
      }
      boolean chunked = false;
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        chunked |= line.equalsIgnoreCase("Transfer-Encoding: chunked");
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
        }
      }
      if (!chunked) {
        in.readNBytes(length);
        return;
      }
      for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
        in.readNBytes(size + 2);
      }
      line();
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new IOException("the connection was closed");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
