package dev.unseen.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes a connection after its last reply, so that the client can still read it.
 *
 * <p>If a connection is closed while its client is still sending, the client gets an error from its
 * system at the next write and never reads the reason. So we only stop sending, drop what still
 * arrives, and close when the client does, or after two seconds.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed gracefully is closed anyway
final class GracefulClose implements ChannelFutureListener {
  private static final long TIMEOUT_MILLIS = 2000;

  /** Further connections are closed immediately. */
  private static final int MAX_WAITING = 1000;

  private final AtomicInteger waiting = new AtomicInteger();

  @Override
  public void operationComplete(ChannelFuture written) {
    Channel channel = written.channel();
    boolean plain =
        channel.pipeline().get(SslHandler.class) == null; // TLS has its own way to close
    if (!plain || !written.isSuccess() || !(channel instanceof DuplexChannel duplex)) {
      channel.close();
      return;
    }
    channel.closeFuture().addListener(closed -> waiting.decrementAndGet());
    if (waiting.incrementAndGet() > MAX_WAITING) {
      channel.close();
      return;
    }
    channel
        .config()
        .setAutoRead(true); // otherwise we would not notice that the client has closed it
    duplex.shutdownOutput();
    channel.eventLoop().schedule(() -> channel.close(), TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
