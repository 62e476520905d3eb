package dev.unseen.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes a connection once its last reply is written, in a way that lets the client read it.
 *
 * <p>If a connection is closed while its client is still sending, the client gets an error from its
 * system at the next write and never learns why it was sent away. So we only stop sending, drop
 * what still comes, and close when the client does, or after two seconds.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed in order is closed anyway
final class GracefulClose implements ChannelFutureListener {
  private static final long PATIENCE_MILLIS = 2000;

  /** More connections than this are not kept open for their last words. */
  private static final int MOST = 1000;

  private final AtomicInteger waiting = new AtomicInteger();

  @Override
  public void operationComplete(ChannelFuture written) {
    Channel channel = written.channel();
    boolean plain = channel.pipeline().get(SslHandler.class) == null; // TLS has its own farewell
    if (!plain || !written.isSuccess() || !(channel instanceof DuplexChannel duplex)) {
      channel.close();
      return;
    }
    channel.closeFuture().addListener(closed -> waiting.decrementAndGet());
    if (waiting.incrementAndGet() > MOST) {
      channel.close();
      return;
    }
    channel.config().setAutoRead(true); // or it would not be seen that the client has closed it
    duplex.shutdownOutput();
    channel.eventLoop().schedule(() -> channel.close(), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
