package dev.unseen.spring.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.bank.BankApplication.Ledger;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that ends while a request runs, and starts again. */
@Timeout(180)
class ShutdownTest {
  @TempDir Path directory;

  private ConfigurableApplicationContext start() {
    return new SpringApplicationBuilder(BankApplication.class)
        .registerShutdownHook(false)
        .run(
            "--server.port=0",
            "--server.shutdown=graceful",
            "--unseen.memory=64KB",
            "--unseen.deduplicators.small.memory=64KB",
            "--unseen.state.file=" + directory.resolve("bank.uns"));
  }

  private static int port(ConfigurableApplicationContext context) {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  private static HttpCalls http(ConfigurableApplicationContext context) {
    return new HttpCalls(port(context));
  }

  private static boolean refuses(int port) {
    try (Socket socket = new Socket("localhost", port)) {
      return !socket.isConnected();
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void a_request_that_runs_while_the_application_ends_is_remembered() throws Exception {
    ConfigurableApplicationContext first = start();
    Ledger ledger = first.getBean(Ledger.class);
    ledger.entered = new CountDownLatch(1);
    ledger.leave = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> running = http(first).postLater("/slow", "a");
    ledger.entered.await();
    int port = port(first);
    Thread closing = new Thread(first::close);
    closing.start();
    await().atMost(Duration.ofMinutes(1)).until(() -> refuses(port));
    ledger.leave.countDown();
    assertThat(running.get().statusCode()).isEqualTo(200);
    closing.join();

    try (ConfigurableApplicationContext second = start()) {
      assertThat(http(second).post("/slow", "a").body()).contains("processed before");
      assertThat(http(second).post("/slow", "b").body()).isEqualTo("done");
    }
  }
}
