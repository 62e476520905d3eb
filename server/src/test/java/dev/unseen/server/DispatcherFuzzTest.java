package dev.unseen.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.hash.Secret;
import dev.unseen.server.access.Users;
import dev.unseen.server.command.Client;
import dev.unseen.server.command.Clients;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.Dispatcher;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.Names;
import dev.unseen.server.store.ServerClock;
import dev.unseen.server.store.StoreException;
import dev.unseen.server.store.StoreLimits;
import dev.unseen.server.store.Traffic;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a client sends, each request gets one reply that is well formed, nothing fails inside,
 * and the memory stays within its limit.
 *
 * <p>A build runs the inputs below and those beside this class in the resources. To look for new
 * ones, with coverage as a guide, for ten minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl server -am test -Dtest=DispatcherFuzzTest#any* -Dsurefire.failIfNoSpecifiedTests=false \
 *   -Djazzer.hooks=true -Djazzer.max_duration=10m
 * </pre>
 */
class DispatcherFuzzTest {
  private static final long MEMORY = 8 << 20;
  private static final RequestLimits LIMITS = new RequestLimits(1000, 1 << 16, 1 << 16);
  private static final Secret SECRET = Secret.parse("000102030405060708090a0b0c0d0e0f");
  private static final ServeOptions OPTIONS =
      ServeOptions.parse("--memory", "64K", "--set-memory", "64K", "--max-memory", "8M");

  private boolean executing; // whether the last request was one of EXEC

  /** Lines that reach all commands and their options. */
  static Stream<Arguments> lines() {
    return Stream.of(
            "HELLO 3 AUTH default x SETNAME me\nPING\nECHO a\nCLIENT SETINFO LIB-NAME x\nCLIENT LIST\nRESET\n",
            "BF.RESERVE a 0.01 100 EXPANSION 2 MEMORY 4k WINDOW 1h KIND recency\nBF.ADD a x\nBF.ADD a x\nBF.INFO a\n",
            "BF.RESERVE n 0.01 2 NONSCALING\nBF.MADD n a b c d\nBF.INFO n ITEMS\nBF.CARD n\nEXPIRE n 5 NX\nTTL n\n",
            "BF.INSERT i CAPACITY 5 ERROR 0.1 NOCREATE ITEMS a\nBF.INSERT i ITEMS a b\nBF.MEXISTS i a c\nBF.EXISTS i b\n",
            "SET k v NX EX 60\nSET k v NX PX 60000\nSET k v EX 5 NX\nDEL k\nSET k v NX EXAT 99999999999\nGET k\nEXISTS k\nTYPE k\n",
            "UN.ADMIT u a\nUN.ADMIT u b TIME 1000\nUN.RESERVE u c\nUN.COMMIT u 00\nUN.ROLLBACK u 00\nUN.REPORT u\nUN.MERGE u u\n",
            "COMMAND\nCOMMAND INFO get\nCOMMAND DOCS set\nINFO\nINFO set\nCONFIG GET m*\nMODULE LIST\nMEMORY USAGE a\nSLOWLOG GET 5\nTIME\nROLE\n",
            "MULTI\nSET k v NX EX 60\nBF.ADD a x\nBF.ADD a x\nMULTI\nEXEC\nMULTI\nNOPE\nEXEC\nMULTI\nPING\nDISCARD\nEXEC\nUNWATCH\n",
            "KEYS [a-c]*\nSCAN 0 MATCH ?\\\\* COUNT 5 TYPE x\nDBSIZE\nFLUSHALL\nSAVE\nBGSAVE\nLASTSAVE\nSHUTDOWN NOSAVE\nQUIT\n",
            "*3\r\n$6\r\nBF.ADD\r\n$1\r\na\r\n$2\r\n\r\n\r\n*1\r\n$4\r\nPING\r\nPOST / HTTP/1.1\n")
        .map(text -> Arguments.of((Object) text.getBytes(ISO_8859_1)));
  }

  @MethodSource("lines")
  @FuzzTest
  void any_bytes_get_replies_that_are_well_formed(byte[] bytes) throws Exception {
    Keyspace keyspace =
        new Keyspace(
            SECRET,
            new MemoryBudget(MEMORY, 0),
            StoreLimits.of(50, 64 << 10),
            () -> Instant.ofEpochMilli(1_700_000_000_000L));
    Users users = Users.anybody();
    Context context =
        new Context(
            keyspace,
            Optional.empty(),
            OPTIONS,
            users,
            new Clients(),
            new SlowLog(),
            new Traffic(),
            new ServerClock(keyspace.clock(), System::nanoTime),
            () -> null,
            save -> {});
    Client client = new Client(1, "here", users.initial().orElseThrow());
    Dispatcher dispatcher = new Dispatcher(new CommandTable(context), client);
    RespReader reader = new RespReader(LIMITS);
    RespWriter reply = new RespWriter();
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    reader.feed(in);
    int requests = 0;
    executing = false;
    int silent = 0; // requests that end the connection, without a reply
    try {
      for (Request r = next(dispatcher, reader, client);
          r != null;
          r = next(dispatcher, reader, client)) {
        requests += executing ? 0 : 1; // what EXEC executes is part of its reply
        int before = reply.length();
        boolean quit = r.is(0, "QUIT");
        dispatcher.run(r, reply);
        Client.SlowWork later = client.takeLater();
        if (later != null) {
          finish(later, dispatcher, reply);
        }
        silent += client.isLeaving() && !quit && reply.length() == before ? 1 : 0;
      }
    } catch (ProtocolException e) {
      assertThat(e.getMessage()).startsWith("ERR Protocol error: ");
    }
    dispatcher.finish(reply);
    List<String> replies = new ArrayList<>();
    try (DataInputStream out = bytes(reply)) {
      while (out.available() > 0) {
        replies.add(read(out, 0));
      }
    }
    assertThat(replies).hasSize(requests - silent);
    assertThat(keyspace.budget().used()).isBetween(0L, MEMORY);
    keyspace.all().forEach(filter -> assertThat(Names.file(filter.name(), "")).isNotNull());
  }

  private Request next(Dispatcher dispatcher, RespReader reader, Client client)
      throws ProtocolException {
    executing = dispatcher.isExecuting();
    return client.isLeaving() ? null : dispatcher.next(reader);
  }

  private static void finish(Client.SlowWork later, Dispatcher dispatcher, RespWriter reply)
      throws Exception {
    Consumer<RespWriter> answer;
    try {
      answer = later.work().call();
    } catch (StoreException | IllegalArgumentException e) {
      answer = r -> dispatcher.fail(e, r);
    }
    dispatcher.resume(answer, reply);
  }

  private static DataInputStream bytes(RespWriter reply) {
    ByteBuf taken = reply.take(UnpooledByteBufAllocator.DEFAULT);
    byte[] all = new byte[taken.readableBytes()];
    taken.readBytes(all).release();
    return new DataInputStream(new ByteArrayInputStream(all));
  }

  private static String read(DataInputStream in, int depth) throws IOException {
    assertThat(depth).isLessThan(10);
    char type = (char) in.readByte();
    StringBuilder line = new StringBuilder();
    for (int b = in.readUnsignedByte(); b != '\r'; b = in.readUnsignedByte()) {
      assertThat(b).isNotEqualTo('\n');
      line.append((char) b);
    }
    assertThat(in.readByte()).isEqualTo((byte) '\n');
    switch (type) {
      case '$', '=' -> {
        int length = Integer.parseInt(line.toString());
        if (length >= 0) {
          assertThat(in.readNBytes(length)).hasSize(length);
          assertThat(new String(in.readNBytes(2), UTF_8)).isEqualTo("\r\n");
        }
      }
      case '*', '~', '%' -> {
        int count = Integer.parseInt(line.toString()) * (type == '%' ? 2 : 1);
        for (int i = 0; i < count; i++) {
          read(in, depth + 1);
        }
      }
      case '-' -> assertThat(line.toString()).doesNotStartWith("ERR internal error");
      case ':' -> Long.parseLong(line.toString());
      case ',' -> assertThat(line.toString()).matches("-?inf|nan|-?[0-9].*");
      case '#' -> assertThat(line.toString()).matches("[tf]");
      default -> assertThat("+_").contains(String.valueOf(type));
    }
    return type + line.toString();
  }
}
