package dev.unseen.server.net;

import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Supplier;

/**
 * The connection of a client while the server loads its filters. Every request is answered with
 * LOADING, as Redis does. A {@link Connection} replaces it after the load.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a connection that cannot be written to is closed by Netty
final class StartingConnection extends ChannelInboundHandlerAdapter {
  private final Supplier<String> progress;
  private final Supplier<Connection> successor;
  private final RespReader reader = new RespReader(RequestLimits.UNAUTHENTICATED);

  /**
   * Creates the handler of a connection.
   *
   * @param progress describes what the server is doing
   * @param successor returns null until the filters are loaded
   */
  StartingConnection(Supplier<String> progress, Supplier<Connection> successor) {
    this.progress = progress;
    this.successor = successor;
  }

  /** Replaces this handler if the filters are loaded, unless a request has begun. */
  void replaceIfLoaded(ChannelHandlerContext channel) {
    Connection next = reader.waiting() == 0 && !channel.isRemoved() ? successor.get() : null;
    if (next != null) {
      channel.pipeline().replace(this, null, next);
      next.channelActive(channel.pipeline().context(next));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    replaceIfLoaded(channel);
    if (channel.isRemoved()) {
      Connection next = channel.pipeline().get(Connection.class);
      next.channelRead(channel.pipeline().context(next), message);
      return;
    }
    ByteBuf bytes = (ByteBuf) message;
    try {
      reader.feed(bytes);
    } finally {
      bytes.release();
    }
    answer(channel);
  }

  private void answer(ChannelHandlerContext channel) {
    RespWriter reply = new RespWriter();
    try {
      while (reader.next() != null) {
        reply.error("LOADING " + progress.get());
      }
    } catch (ProtocolException e) {
      reply.error(e.getMessage());
      channel.writeAndFlush(reply.take(channel.alloc())).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    if (reply.length() > 0) {
      channel.writeAndFlush(reply.take(channel.alloc()));
      channel.channel().config().setAutoRead(channel.channel().isWritable());
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    channel.channel().config().setAutoRead(channel.channel().isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
    channel.close();
  }
}
