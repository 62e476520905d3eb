package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Sends server-sent events to all clients that have joined. A client that reads too slowly misses
 * some.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a connection that cannot be written to is closed by Netty
public final class EventStream {
  private static final int MAX_CLIENTS = 64;

  private final Set<Channel> clients = ConcurrentHashMap.newKeySet();
  private final Supplier<String> text;

  /**
   * Creates a stream.
   *
   * @param text returns the next event, a text without line ends; called only if there are clients
   */
  public EventStream(Supplier<String> text) {
    this.text = text;
  }

  /** Adds a client, or replies with an error if there are too many. */
  void join(ChannelHandlerContext context) {
    if (clients.size() >= MAX_CLIENTS) {
      context
          .writeAndFlush(
              new DefaultFullHttpResponse(
                  HttpVersion.HTTP_1_1,
                  HttpResponseStatus.SERVICE_UNAVAILABLE,
                  Unpooled.copiedBuffer(
                      "%d pages are open already; close one\n".formatted(MAX_CLIENTS), UTF_8)))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    head.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    HttpUtil.setTransferEncodingChunked(head, true);
    Channel client = context.channel();
    context.writeAndFlush(head);
    clients.add(client);
    client.closeFuture().addListener(closed -> clients.remove(client));
  }

  /** Sends the next event to all clients. */
  public void send() {
    if (clients.isEmpty()) {
      return;
    }
    ByteBuf event = Unpooled.copiedBuffer("data: " + text.get() + "\n\n", UTF_8);
    try {
      for (Channel client : clients) {
        if (client.isWritable()) {
          client.writeAndFlush(new DefaultHttpContent(event.retainedDuplicate()));
        }
      }
    } finally {
      event.release();
    }
  }
}
