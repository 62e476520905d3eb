package dev.unseen.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to a server, each at most once, and connects again when the connection was lost.
 * Safe for use by many threads, which share one connection.
 */
final class ServerConnection implements AutoCloseable {
  /** The name of a command. */
  record Command(String text) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
      return text.getBytes(US_ASCII);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final RedisURI uri;
  private final Duration timeout;
  private final RedisClient client;
  private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> connection;
  private boolean closed;

  ServerConnection(RedisURI uri, Duration timeout) {
    this.uri = uri;
    this.timeout = timeout;
    this.client = RedisClient.create(uri);
    // Lettuce would send commands again after a reconnect, and a commit must know about that.
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .protocolVersion(ProtocolVersion.RESP2)
            .socketOptions(SocketOptions.builder().connectTimeout(timeout).keepAlive(true).build())
            .build());
  }

  Duration timeout() {
    return timeout;
  }

  /** Returns host and port, for messages; never a password. */
  String address() {
    return uri.getHost() + ":" + uri.getPort();
  }

  /**
   * Sends a command once and returns its reply.
   *
   * @throws RedisCommandExecutionException if the server replies with an error
   * @throws StoreUnavailableException if there is no connection, or no reply in time
   */
  <T> @Nullable T call(
      Command command, CommandOutput<String, String, T> output, String... arguments) {
    StatefulRedisConnection<String, String> open = connection();
    CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
    for (String argument : arguments) {
      all.addValue(argument);
    }
    try {
      return await(open.async().dispatch(command, output, all), true);
    } catch (TimeoutException e) {
      drop(open); // its later replies would be late, too
      throw new StoreUnavailableException(
          "the server at %s did not reply to %s within %,d ms; check it, or raise commandTimeout"
              .formatted(address(), command, timeout.toMillis()),
          true,
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisCommandExecutionException reply) {
        throw reply;
      }
      throw lost(command, e.getCause());
    } catch (CancellationException | RedisException e) { // closed here, or just before
      throw lost(command, e);
    }
  }

  private StoreUnavailableException lost(Command command, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "the connection to the server at %s was lost before it replied to %s"
            .formatted(address(), command),
        true,
        cause);
  }

  /** Returns the open connection, or waits for the one that is being opened for all threads. */
  private StatefulRedisConnection<String, String> connection() {
    CompletableFuture<StatefulRedisConnection<String, String>> current;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException(
            "the client of the server at %s is closed; build another one".formatted(address()));
      }
      if (connection == null || !isUsable(connection)) {
        connection = client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture();
      }
      current = connection;
    }
    try {
      return await(current, false);
    } catch (TimeoutException e) {
      throw unreachable("no answer within %,d ms".formatted(timeout.toMillis()), e);
    } catch (ExecutionException e) {
      throw rejected(e);
    }
  }

  private static boolean isUsable(
      CompletableFuture<StatefulRedisConnection<String, String>> connection) {
    return !connection.isDone()
        || (!connection.isCompletedExceptionally() && connection.join().isOpen());
  }

  /** Returns what prevents a connection: an error reply to the login, or no connection at all. */
  private RuntimeException rejected(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException reply) {
        return reply;
      }
      root = cause;
    }
    return unreachable(String.valueOf(root.getMessage()), failure);
  }

  private StoreUnavailableException unreachable(String reason, Throwable cause) {
    return new StoreUnavailableException(
        "the server at %s cannot be reached (%s); start `unseen serve` there, or correct the URI"
            .formatted(address(), reason),
        false,
        cause);
  }

  private <T> T await(Future<T> future, boolean sent) throws TimeoutException, ExecutionException {
    try {
      return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException(
          "interrupted while waiting for the server at " + address(), sent, e);
    }
  }

  private synchronized void drop(StatefulRedisConnection<String, String> late) {
    if (connection != null && isUsable(connection) && connection.getNow(null) == late) {
      connection = null;
    }
    CompletableFuture<Void> unused = late.closeAsync();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    client.shutdown(Duration.ZERO, timeout);
  }
}
