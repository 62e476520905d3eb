package dev.unseen.server.net;

import dev.unseen.server.command.Client;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.Dispatcher;
import dev.unseen.server.command.ThrottledLog;
import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection of one client: reads requests, runs them, and sends the replies in order. Until
 * the filters are loaded, it answers them with LOADING, as Redis does.
 *
 * <p>Nothing is read while slow work runs for the client, or while it does not read its replies. So
 * a client that sends without reading fills the buffers of its own system, and not our memory.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a connection that cannot be written to is closed by Netty
final class Connection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final ThrottledLog DISCONNECTED = new ThrottledLog();
  private static final ThrottledLog JOURNAL_FAILED = new ThrottledLog();
  private static final int FLUSH_BYTES = 64 << 10;
  private static final long UNAUTHENTICATED_MILLIS = 30_000; // time to authenticate
  private static final long SLOW_MILLIS = 60_000; // time to read replies
  private static final long CHECK_MILLIS = 1000;

  private final Supplier<CommandTable> commands;
  private final Supplier<String> progress;
  private final Executor workers;
  private final GracefulClose gracefulClose;
  private Context context; // null: the filters are being loaded
  private RespReader reader; // null after the last reply: its buffer may be large
  private final RespWriter reply = new RespWriter();
  private Client client;
  private Dispatcher dispatcher;
  private boolean busy; // slow work is running for the client
  private boolean closing;
  private boolean lastSent; // the connection closes once it has been written
  private boolean authenticated; // whether the limits are those of a user
  private long lastRequest = System.nanoTime();
  private long unwritableSince; // 0: the client reads its replies
  private long requests;
  private long received;
  private long sent;
  private long held; // bytes that count in the budget

  /**
   * Creates the handler of a connection.
   *
   * @param commands returns null until the filters are loaded
   * @param progress describes what the server is doing until then
   */
  Connection(
      Supplier<CommandTable> commands,
      Supplier<String> progress,
      Executor workers,
      GracefulClose gracefulClose) {
    this.commands = commands;
    this.progress = progress;
    this.workers = workers;
    this.gracefulClose = gracefulClose;
    this.reader = new RespReader(RequestLimits.UNAUTHENTICATED);
  }

  /** Serves the client, if the filters are loaded. Called again when they are. */
  @Override
  public void channelActive(ChannelHandlerContext channel) {
    CommandTable loaded = commands.get();
    boolean begun = context != null || closing || reader.waiting() > 0; // half a request
    if (loaded == null || begun || !channel.channel().isActive()) {
      return;
    }
    context = loaded.context();
    lastRequest = System.nanoTime();
    client =
        new Client(
            context.clients().nextId(),
            String.valueOf(channel.channel().remoteAddress()).replace("/", ""),
            context.users().initial().orElse(null));
    client.connection(
        String.valueOf(channel.channel().localAddress()).replace("/", ""),
        channel::close,
        line -> show(line, channel));
    if (context.clients().count() >= context.options().maxClients()) {
      context.clients().rejected();
      reject(
          channel,
          "-ERR max number of clients reached (%d); close a connection, or start the server with a larger --max-clients"
              .formatted(context.options().maxClients()));
      return;
    }
    context.clients().add(client);
    dispatcher = new Dispatcher(loaded, client);
    channel.executor().schedule(() -> check(channel), CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void show(String line, ChannelHandlerContext channel) {
    if (channel.channel().isWritable()) {
      channel.writeAndFlush(Unpooled.copiedBuffer(line, StandardCharsets.UTF_8));
    }
  }

  private void reject(ChannelHandlerContext channel, String line) {
    closing = true;
    sendLast(channel.writeAndFlush(Unpooled.copiedBuffer(line + "\r\n", StandardCharsets.UTF_8)));
  }

  private void sendLast(ChannelFuture written) {
    lastSent = true;
    reader = null;
    written.addListener(gracefulClose);
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    closing = true;
    if (context == null) {
      return;
    }
    context.clients().remove(client);
    count();
    hold(0);
    if (dispatcher != null) { // else there were too many clients
      process(channel);
    }
  }

  /** Closes the connection if the client is idle, does not authenticate or reads no replies. */
  private void check(ChannelHandlerContext channel) {
    if (!channel.channel().isActive()) {
      return;
    }
    count();
    long now = System.nanoTime();
    long quiet = (now - lastRequest) / 1_000_000;
    boolean slow = unwritableSince != 0 && (now - unwritableSince) / 1_000_000 > SLOW_MILLIS;
    long most =
        client.user() == null ? UNAUTHENTICATED_MILLIS : context.options().idleTimeout().toMillis();
    if (!busy && (quiet > most || slow)) {
      channel.close();
      return;
    }
    channel.executor().schedule(() -> check(channel), CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void count() {
    context.clients().answered(requests, received, sent);
    requests = 0;
    received = 0;
    sent = 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (context == null) {
        channelActive(channel);
      }
      if (closing) {
        return;
      }
      received += bytes.readableBytes();
      reader.feed(bytes);
    } finally {
      bytes.release();
    }
    if (context == null) {
      answerLoading(channel);
    } else {
      process(channel);
      weigh(channel);
    }
  }

  private void answerLoading(ChannelHandlerContext channel) {
    try {
      while (reader.next() != null) {
        reply.error("LOADING " + progress.get());
      }
    } catch (ProtocolException e) {
      reply.error(e.getMessage());
      closing = true;
    }
    if (reply.length() > 0) {
      ChannelFuture written = channel.writeAndFlush(reply.take(channel.alloc()));
      channel.channel().config().setAutoRead(channel.channel().isWritable());
      if (closing) {
        written.addListener(ChannelFutureListener.CLOSE);
      }
    }
  }

  /** Changes what this connection holds. Returns whether all together hold no more than allowed. */
  private boolean hold(long bytes) {
    long before = held;
    held = bytes;
    return context.keyspace().budget().changeBuffers(before, bytes);
  }

  /** Counts what this connection holds, and closes it if all connections together hold too much. */
  private void weigh(ChannelHandlerContext channel) {
    ChannelOutboundBuffer out = channel.channel().unsafe().outboundBuffer();
    long unsent = out == null ? 0 : out.totalPendingWriteBytes();
    long now = closing ? 0 : reader.extraBytes() + dispatcher.queuedBytes() + unsent;
    if (now == held) {
      return;
    }
    long most = context.keyspace().budget().bufferLimit();
    client.holds(now - unsent, unsent);
    if (!hold(now)) {
      context.clients().rejected();
      DISCONNECTED.warn(
          "client %s is disconnected: it holds %d bytes of unfinished requests, commands between MULTI and EXEC, and replies that it has not read, and all clients together more than %d; see --max-buffers"
              .formatted(client.address(), now, most));
      if (unsent > 0) {
        channel.close(); // unread replies would come before the error, and need memory
        return;
      }
      reject(
          channel,
          "-ERR all clients together hold more than %d bytes of unfinished requests, commands between MULTI and EXEC, and replies; send shorter requests and transactions, or start the server with a larger --max-buffers"
              .formatted(most));
      hold(0);
    }
  }

  /** Runs all requests that are complete. */
  private void process(ChannelHandlerContext channel) {
    try {
      while (mayRun(channel)) {
        boolean executing = dispatcher.isExecuting();
        if (!authenticated && client.user() != null) {
          reader.limits(context.options().limits());
          authenticated = true;
        }
        Request request = dispatcher.next(reader);
        if (request == null) {
          break;
        }
        requests += executing ? 0 : 1; // what EXEC executes was counted when it was queued
        dispatcher.run(request, reply);
        Client.SlowWork later = client.takeLater();
        if (later != null) {
          start(later, channel);
        } else if (client.isLeaving()) {
          closing = true;
        } else if (reply.length() > FLUSH_BYTES) {
          flush(channel);
        }
        lastRequest = System.nanoTime();
      }
      dispatcher.finish(reply);
    } catch (ProtocolException e) {
      dispatcher.finish(reply);
      reply.error(e.getMessage());
      closing = true;
    } catch (UncheckedIOException e) {
      failed(channel, e);
      return;
    }
    if (closing) {
      flush(channel);
    }
  }

  /**
   * Returns whether another request may be run now. What EXEC has begun is executed to its end,
   * even if the client has disconnected: as in Redis, a client cannot cancel it by disconnecting.
   */
  private boolean mayRun(ChannelHandlerContext channel) {
    if (busy) {
      return false;
    }
    return closing
        ? dispatcher.isExecuting() && !channel.channel().isActive()
        : channel.channel().isWritable();
  }

  /** The journal cannot be written: nothing that is not in it is acknowledged. */
  private void failed(ChannelHandlerContext channel, UncheckedIOException e) {
    JOURNAL_FAILED.warn("the journal cannot be written: " + e.getMessage());
    closing = true;
    reply.rewind(0);
    channel.close();
  }

  private void start(Client.SlowWork later, ChannelHandlerContext channel) {
    busy = true;
    channel.channel().config().setAutoRead(false);
    if (later.delayMillis() > 0) {
      channel
          .executor()
          .schedule(() -> start(later.work(), channel), later.delayMillis(), TimeUnit.MILLISECONDS);
    } else {
      start(later.work(), channel);
    }
  }

  private void start(Callable<Consumer<RespWriter>> work, ChannelHandlerContext channel) {
    workers.execute(
        () -> {
          Consumer<RespWriter> answer;
          boolean changed = false;
          try {
            answer = work.call();
            changed = true;
          } catch (Throwable e) { // the client must get a reply in any case
            answer = r -> dispatcher.fail(e, r);
          }
          Consumer<RespWriter> done = answer;
          boolean mustCommit = changed;
          channel.executor().execute(() -> resume(done, mustCommit, channel));
        });
  }

  private void resume(
      Consumer<RespWriter> answer, boolean mustCommit, ChannelHandlerContext channel) {
    busy = false;
    if (mustCommit) {
      dispatcher.changed();
    }
    try {
      try {
        dispatcher.resume(answer, reply);
      } catch (UncheckedIOException e) {
        failed(channel, e);
        return;
      }
      lastRequest = System.nanoTime();
      channel.channel().config().setAutoRead(true);
      process(channel);
      flush(channel);
      weigh(channel);
    } catch (RuntimeException | Error e) { // no other code would close the connection
      exceptionCaught(channel, e);
    }
  }

  /**
   * Sends the replies. Those that have to wait for the journal are sent when all connections that
   * are readable now have been read: the first of them writes the records of all, as Redis does,
   * and the others find nothing left to write.
   */
  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    if (context == null) {
      return;
    }
    if (!closing && dispatcher.mustCommit()) {
      channel.executor().execute(() -> send(channel));
    } else {
      flush(channel);
    }
    weigh(channel);
  }

  private void send(ChannelHandlerContext channel) {
    try {
      flush(channel);
      weigh(channel);
    } catch (RuntimeException | Error e) { // no other code would close the connection
      exceptionCaught(channel, e);
    }
  }

  private void flush(ChannelHandlerContext channel) {
    if (reply.length() == 0) {
      if (closing && !lastSent) {
        channel.close();
      }
      return;
    }
    try {
      dispatcher.finish(reply);
      if (dispatcher.takeMustCommit()) {
        context.keyspace().journal().commit();
      }
    } catch (UncheckedIOException e) {
      failed(channel, e);
      return;
    }
    sent += reply.length();
    ChannelFuture written = channel.writeAndFlush(reply.take(channel.alloc()));
    if (closing) {
      sendLast(written);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    boolean writable = channel.channel().isWritable();
    if (context == null) {
      channel.channel().config().setAutoRead(writable);
      return;
    }
    unwritableSince = writable ? 0 : System.nanoTime();
    if (!busy) {
      channel.channel().config().setAutoRead(writable);
    }
    if (writable) {
      process(channel);
      flush(channel);
    }
    weigh(channel);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
    if (!(cause instanceof IOException)
        && !(cause instanceof io.netty.handler.codec.DecoderException)) {
      LOG.log(System.Logger.Level.ERROR, "a connection failed", cause);
    }
    channel.close();
  }
}
