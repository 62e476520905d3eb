package dev.unseen.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the same transactions to Redis and to this server, and compares the replies. */
class RedisTransactionsTest {
  /** Commands that both know; each line is sent over a connection of its own. */
  private static final List<String> SCRIPTS =
      List.of(
          "MULTI|SET a 1 NX EX 60|SET a 1 NX EX 60|EXISTS a|DEL a|EXISTS a|EXEC|EXISTS a",
          "MULTI|SET b 1 NX EX 60|DISCARD|EXISTS b|EXEC|DISCARD",
          "EXEC|DISCARD|UNWATCH|MULTI|EXEC",
          "MULTI|SET c 1 NX EX 60|MULTI|EXEC|EXISTS c",
          "MULTI|SET d 1 NX EX 60|NOPE|SET e 1 NX EX 60|EXEC|EXISTS d e|PING",
          "MULTI|SET d|ECHO|EXEC|MULTI x|MULTI|MULTI x|EXEC|MULTI|DISCARD x|PING|DISCARD",
          "MULTI|SET d 1 NX EX 60|EXEC x|EXEC|EXISTS d",
          "MULTI|SHUTDOWN|PING|EXEC|PING",
          "MULTI|SET d 1 NX EX 60|RESET|EXEC|EXISTS d",
          "MULTI|PING|PING hi|ECHO a|UNWATCH|TYPE none|GET none|EXPIRE none 5|PTTL none|EXEC",
          "MULTI|EXPIRE none x|SCAN x|CLIENT SETNAME me|CLIENT GETNAME|SELECT 0|EXEC|CLIENT GETNAME",
          "MULTI|CLIENT SETNAME other|QUIT");

  @TempDir Path directory;

  @Test
  void transactions_get_the_replies_of_redis() throws Exception {
    assumeTrue(
        Programs.works(Path.of("."), "redis-server", "--version"),
        "redis-server (Debian: redis-server) is not installed");
    int port = FreePort.find();
    Process redis =
        new ProcessBuilder("redis-server", "--port", Integer.toString(port), "--save", "")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (TestServer server = new TestServer()) {
      awaitRedis(redis, port);
      for (String protocol : List.of("2", "3")) {
        for (String script : SCRIPTS) {
          assertThat(replies(server.port(), protocol, script))
              .as(script)
              .isEqualTo(replies(port, protocol, script));
        }
      }
    } finally {
      redis.destroyForcibly().waitFor();
    }
  }

  private static void awaitRedis(Process redis, int port) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (true) {
      try (RawClient client = new RawClient(port)) {
        assertThat(client.say("PING")).isEqualTo("+PONG");
        return;
      } catch (IOException e) { // it does not listen yet
        assertThat(redis.isAlive()).isTrue();
        assertThat(System.nanoTime()).isLessThan(until);
        Thread.sleep(50);
      }
    }
  }

  private static List<String> replies(int port, String protocol, String script) throws IOException {
    List<String> replies = new ArrayList<>();
    try (RawClient client = new RawClient(port)) {
      client.ask("HELLO", protocol);
      for (String line : script.split("\\|", -1)) {
        replies.add(client.say(line));
      }
      client.say("FLUSHALL");
    } catch (IOException e) {
      replies.add("closed");
    }
    return replies;
  }
}
