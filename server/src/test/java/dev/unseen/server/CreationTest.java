package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.hash.Secret;
import dev.unseen.server.access.Users;
import dev.unseen.server.command.Client;
import dev.unseen.server.command.Clients;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.Dispatcher;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServerClock;
import dev.unseen.server.store.StoreLimits;
import dev.unseen.server.store.Traffic;
import io.netty.buffer.Unpooled;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that create a filter: a large one takes a while, and other clients shall not wait. */
class CreationTest {
  private final Users users = Users.anybody();
  private final Keyspace keyspace =
      new Keyspace(
          Secret.random(),
          new MemoryBudget(8 << 20, 0),
          StoreLimits.of(5, 64 << 10),
          InstantSource.system());
  private final Client client = new Client(1, "here", users.initial().orElseThrow());
  private final RespReader reader = new RespReader(new RequestLimits(100, 1000, 1000));
  private final RespWriter reply = new RespWriter();

  private Context context(Callable<Void> reload) {
    return new Context(
        keyspace,
        Optional.empty(),
        ServeOptions.parse("--memory", "64K"),
        users,
        new Clients(),
        new SlowLog(),
        new Traffic(),
        new ServerClock(InstantSource.system(), System::nanoTime),
        reload,
        save -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BF.RESERVE f 0.01 100",
        "BF.INSERT f CAPACITY 100 ITEMS a b",
        "BF.ADD f a",
        "BF.MADD f a b",
        "UN.ADMIT f a",
        "UN.ADMIT f a TIME 1",
        "SET f 1 NX EX 60"
      })
  void filters_are_created_away_from_the_event_loop(String line) throws Exception {
    Dispatcher dispatcher = new Dispatcher(new CommandTable(context(() -> null)), client);
    reader.feed(Unpooled.copiedBuffer(line + "\n", UTF_8));
    dispatcher.run(reader.next(), reply);
    dispatcher.finish(reply);
    assertThat(reply.length()).isZero();
    assertThat(keyspace.all()).isEmpty();
    reader.feed(Unpooled.copiedBuffer("PING PING PING PING PING\n", UTF_8)); // over the request
    reader.next();
    dispatcher.resume(client.takeLater().work().call(), reply);
    assertThat(reply.length()).isPositive();
    assertThat(keyspace.all()).hasSize(1);
  }

  @Test
  void a_command_that_a_worker_continues_is_measured_to_its_end() throws Exception {
    Context context =
        context(
            () -> {
              Thread.sleep(20); // the work, which the slow log must show
              return null;
            });
    Dispatcher dispatcher = new Dispatcher(new CommandTable(context), client);
    reader.feed(Unpooled.copiedBuffer("UN.RELOAD\n", UTF_8));
    dispatcher.run(reader.next(), reply);
    assertThat(context.clients().stats().seconds()).isZero();
    dispatcher.resume(client.takeLater().work().call(), reply);
    assertThat(context.clients().stats().seconds()).isGreaterThanOrEqualTo(0.02);
    assertThat(context.slowLog().entries())
        .singleElement()
        .satisfies(slow -> assertThat(slow.command()).isEqualTo("UN.RELOAD"))
        .satisfies(slow -> assertThat(slow.micros()).isGreaterThanOrEqualTo(20_000));
  }

  @Test
  void requests_after_one_that_creates_wait_for_it() throws Exception {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      client.send(RawClient.request("BF.MADD", "f", "a", "b"));
      client.send(RawClient.request("BF.ADD", "f", "a"));
      client.send(RawClient.request("BF.INSERT", "g", "MEMORY", "1mb", "ITEMS", "a", "a"));
      client.send(RawClient.request("SET", "k", "1", "NX", "EX", "60"));
      client.send(RawClient.request("SET", "k", "1", "NX", "EX", "60"));
      client.send(RawClient.request("SET", "k", "1", "NX", "EX", "99999999"));
      assertThat(client.reply()).isEqualTo("[:1, :1]");
      assertThat(client.reply()).isEqualTo(":0");
      assertThat(client.reply()).isEqualTo("[:1, :0]");
      assertThat(client.reply()).isEqualTo("+OK");
      assertThat(client.reply()).isEqualTo("nil");
      assertThat(client.reply()).startsWith("-ERR an expiry of 99999999000 ms is longer than");
    }
  }
}
