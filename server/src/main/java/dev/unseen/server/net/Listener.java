package dev.unseen.server.net;

import dev.unseen.server.command.CommandTable;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Listens on ports, and owns the threads that serve their connections. */
@SuppressWarnings("FutureReturnValueIgnored") // shutdown does not wait for the threads to end
public final class Listener {
  private static final int LOW_WATER = 64 << 10;
  private static final int HIGH_WATER = 256 << 10;
  private static final int BACKLOG = 511;
  private static final int MAX_WAITING = 1000; // connections while filters are loaded

  private final EventLoopGroup acceptor;
  private final EventLoopGroup loops;
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  /** Starts this number of threads. */
  public Listener(int threads) {
    this.acceptor =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("unseen-accept", true), NioIoHandler.newFactory());
    this.loops =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("unseen-loop", true), NioIoHandler.newFactory());
  }

  /**
   * Serves Redis's protocol on an address.
   *
   * @param commands returns null until the filters are loaded
   * @param progress describes what the server is doing until then
   * @param tls returns what the next connection is encrypted with; empty if it is not
   * @return the port; for port 0, the one that the system chose
   */
  public int serve(
      InetSocketAddress address,
      Supplier<CommandTable> commands,
      Supplier<String> progress,
      Executor workers,
      Supplier<Optional<SslContext>> tls)
      throws IOException {
    GracefulClose gracefulClose = new GracefulClose();
    return bind(
        address,
        channel -> {
          if (commands.get() == null && open.size() > MAX_WAITING) {
            channel.close();
            return;
          }
          tls.get()
              .ifPresent(
                  context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
          channel.pipeline().addLast(new Connection(commands, progress, workers, gracefulClose));
        });
  }

  /** Serves the clients that have connected while the filters were loaded. */
  public void loaded() {
    for (Channel channel : open) {
      ChannelHandlerContext context = channel.pipeline().context(Connection.class);
      if (context != null) {
        Connection waiting = (Connection) context.handler();
        channel.eventLoop().execute(() -> waiting.channelActive(context));
      }
    }
  }

  /** Serves pages by HTTP on an address. Returns the port. */
  public int serve(InetSocketAddress address, Pages pages) throws IOException {
    return bind(address, pages::install);
  }

  private int bind(InetSocketAddress address, Consumer<SocketChannel> pipeline) throws IOException {
    Channel bound =
        new ServerBootstrap()
            .group(acceptor, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(LOW_WATER, HIGH_WATER))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    open.add(channel);
                    pipeline.accept(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly()
            .channel();
    if (!bound.isActive()) {
      throw new IOException(
          "cannot listen on %s port %d: it is in use, or is not an address of this machine; choose another with --port, --http, --bind or --http-bind"
              .formatted(address.getHostString(), address.getPort()));
    }
    open.add(bound);
    return ((InetSocketAddress) bound.localAddress()).getPort();
  }

  /** Closes all connections and ends the threads. */
  public void close() {
    open.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
  }
}
