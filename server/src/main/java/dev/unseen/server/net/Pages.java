package dev.unseen.server.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.server.command.ThrottledLog;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves pages by HTTP, each generated when it is requested. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a connection that cannot be written to is closed by Netty
public final class Pages {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final ThrottledLog TOO_MANY = new ThrottledLog();
  private static final int MAX_REQUEST = 64 << 10;
  private static final int IDLE_SECONDS = 60;

  /** The page has its script and its style inside, and connects to its own server only. */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
              + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer");

  /** Browsers and scrapers of one machine need far fewer. */
  private static final int MAX_CONNECTIONS = 500;

  /**
   * A page.
   *
   * @param status the status of the reply, such as 200
   * @param type the media type
   * @param body the text
   */
  public record Page(int status, String type, String body) {
    /** Returns a page of plain text. */
    public static Page text(int status, String body) {
      return new Page(status, "text/plain; charset=utf-8", body);
    }
  }

  private final Map<String, Function<Query, Page>> pages = new ConcurrentHashMap<>();
  private final Map<String, EventStream> streams = new ConcurrentHashMap<>();
  private final Executor workers;
  private final Set<String> published = ConcurrentHashMap.newKeySet();
  private final Set<String> hosts;

  // Connections, those that have sent no whole request for longest first. When there are too many,
  // the first one is closed: neither half requests nor replies that nobody reads keep others out.
  private final Set<Channel> open = Collections.synchronizedSet(new LinkedHashSet<>());

  /** The query part of a URL, after the question mark. */
  public interface Query {
    /** Returns a parameter; empty if it is missing. */
    Optional<String> get(String name);
  }

  /**
   * Creates a set of pages.
   *
   * @param workers generate the pages
   * @param hosts the names that requests may use for this machine, besides localhost and addresses
   */
  public Pages(Executor workers, Set<String> hosts) {
    this.workers = workers;
    this.hosts = Set.copyOf(hosts);
  }

  /** Answers requests of other machines for these paths; all others are for this machine only. */
  public Pages publish(String... paths) {
    published.addAll(List.of(paths));
    return this;
  }

  /** Adds a page at a path such as {@code /metrics}, or replaces it. */
  public Pages add(String path, Supplier<Page> page) {
    return add(path, query -> page.get());
  }

  /** Adds a page that depends on the query. */
  public Pages add(String path, Function<Query, Page> page) {
    pages.put(path, page);
    return this;
  }

  /** Adds a stream of server-sent events. */
  public Pages add(String path, EventStream stream) {
    streams.put(path, stream);
    return this;
  }

  void install(SocketChannel channel) {
    open.add(channel);
    channel.closeFuture().addListener(closed -> open.remove(channel));
    if (open.size() > MAX_CONNECTIONS) {
      TOO_MANY.warn(
          "%d HTTP connections are open, which is the limit; the one that has been idle for longest is closed"
              .formatted(MAX_CONNECTIONS));
      closeFirst();
    }
    channel
        .pipeline()
        .addLast(
            new ReadTimeoutHandler(IDLE_SECONDS),
            new HttpServerCodec(),
            new HttpObjectAggregator(MAX_REQUEST),
            new FlowControlHandler(),
            new Handler());
  }

  private void closeFirst() {
    Channel first;
    synchronized (open) {
      first = open.iterator().next(); // the new one is there at least
      open.remove(first);
    }
    first.close();
  }

  private Page pageOf(HttpMethod method, String path, Query query) {
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      return Page.text(405, "only GET is served\n");
    }
    Function<Query, Page> page = pages.get(path);
    return page != null ? page.apply(query) : Page.text(404, "there is: " + paths() + "\n");
  }

  private String paths() {
    return Stream.of(pages, streams)
        .flatMap(some -> some.keySet().stream())
        .sorted()
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns whether a request names this machine. That of a web page whose host name resolves to
   * this machine (DNS rebinding) does not. An address is not a name, and cannot be rebound.
   */
  private boolean namesThisMachine(String host) {
    String name = host.replaceFirst(":\\d+$", "");
    return name.equals("localhost")
        || NetUtil.isValidIpV4Address(name)
        || (name.startsWith("[") && name.endsWith("]") && NetUtil.isValidIpV6Address(name))
        || hosts.contains("*")
        || hosts.contains(name.toLowerCase(Locale.ROOT));
  }

  private static boolean isLocal(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        && remote.getAddress().isLoopbackAddress();
  }

  /**
   * Answers the requests of one connection, one after the other: the next is handled when the reply
   * to the previous one has been written, so that a client that does not read uses no memory.
   */
  private final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private boolean streaming;

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      HttpMethod method = request.method();
      boolean keep = HttpUtil.isKeepAlive(request);
      if (streaming) {
        return; // the client sends no further requests
      }
      String path;
      Map<String, List<String>> values;
      try {
        QueryStringDecoder address = new QueryStringDecoder(request.uri());
        path = address.path();
        values = address.parameters();
      } catch (IllegalArgumentException e) {
        send(context, Page.text(400, "invalid URL: " + e.getMessage() + "\n"), method, false);
        return;
      }
      if (!namesThisMachine(request.headers().get(HttpHeaderNames.HOST, "localhost"))) {
        send(
            context,
            Page.text(
                403,
                "use the host name localhost, an address, or a name of the option --http-hosts\n"),
            method,
            false);
        return;
      }
      if (!published.contains(path) && !isLocal(context.channel())) {
        send(
            context,
            Page.text(
                403,
                "this page is for the machine of the server only; other machines can read %s\n"
                    .formatted(String.join(" ", new TreeSet<>(published)))),
            method,
            false);
        return;
      }
      open.remove(context.channel());
      if (method.equals(HttpMethod.GET) && streams.containsKey(path)) {
        streaming = true;
        context.pipeline().remove(ReadTimeoutHandler.class); // the client only listens
        streams.get(path).join(context);
        return;
      }
      open.add(context.channel()); // as the last one
      Query query = name -> values.getOrDefault(name, List.of()).stream().findFirst();
      context.channel().config().setAutoRead(false); // until the reply has been written
      workers.execute(
          () -> {
            Page page = generate(method, path, query);
            context.executor().execute(() -> send(context, page, method, keep));
          });
    }

    /** Returns a page, or an error page if it fails: the client must get a reply. */
    private Page generate(HttpMethod method, String path, Query query) {
      try {
        return pageOf(method, path, query);
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.ERROR, "the page %s failed".formatted(path), e);
        return Page.text(500, "this page failed; the reason is in the log of the server\n");
      }
    }

    private void send(ChannelHandlerContext context, Page page, HttpMethod method, boolean keep) {
      byte[] body = page.body().getBytes(UTF_8);
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.valueOf(page.status()),
              method.equals(HttpMethod.HEAD)
                  ? Unpooled.EMPTY_BUFFER
                  : Unpooled.wrappedBuffer(body));
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, page.type());
      response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
      SECURITY_HEADERS.forEach((name, value) -> response.headers().set(name, value));
      HttpUtil.setContentLength(response, body.length);
      HttpUtil.setKeepAlive(response, keep);
      var sent = context.writeAndFlush(response);
      if (keep) {
        sent.addListener(done -> context.channel().config().setAutoRead(true));
      } else {
        sent.addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
