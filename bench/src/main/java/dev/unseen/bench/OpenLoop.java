package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Sends requests at a fixed rate, whether or not replies have come, and measures the time from when
 * each was due to its reply. So a server that pauses is charged for all requests that had to wait,
 * also for those that a client which waits for replies would not have sent.
 *
 * <p>One thread does it all and never sleeps, so that it is not late itself: it needs a dedicated
 * core.
 */
final class OpenLoop implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long MOST_NANOS = 60_000_000_000L;

  private final List<Line> lines = new ArrayList<>();
  private final String[] words; // of which KEY is replaced
  private final double nanosApart;
  private final SplittableRandom random = new SplittableRandom(1);
  private long late;

  /**
   * Connects to a server.
   *
   * @param words the request; the word KEY stands for one of a hundred million keys
   */
  OpenLoop(int port, int connections, double perSecond, String... words) throws IOException {
    this.words = words.clone();
    this.nanosApart = 1e9 / perSecond;
    for (int i = 0; i < connections; i++) {
      lines.add(new Line(port));
    }
  }

  /** Runs until it shall end, and until all replies have come. Returns the times. */
  Histogram run(BooleanSupplier goesOn) throws IOException {
    Histogram times = new Histogram(1, MOST_NANOS, 3);
    long began = System.nanoTime();
    long sent = 0;
    boolean sending = true;
    late = 0;
    while (sending || lines.stream().anyMatch(Line::isWaiting)) {
      long now = System.nanoTime();
      sending = sending && goesOn.getAsBoolean();
      while (sending && began + (long) (sent * nanosApart) <= now) {
        long due = began + (long) (sent * nanosApart);
        late = Math.max(late, now - due);
        lines.get((int) (sent % lines.size())).add(RespClient.request(random, words), due);
        sent++;
      }
      for (Line line : lines) {
        line.turn(times);
      }
    }
    return times;
  }

  /** Returns by how much the latest request was sent after it was due, in nanoseconds. */
  long late() {
    return late;
  }

  @Override
  public void close() throws IOException {
    for (Line line : lines) {
      line.channel.close();
    }
  }

  /** One connection. Each reply must be one line. */
  private static final class Line {
    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final long[] due = new long[BUFFER_BYTES];
    private int first;
    private int waiting;
    private boolean newLine = true; // whether a reply begins

    Line(int port) throws IOException {
      channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
    }

    boolean isWaiting() {
      return waiting > 0;
    }

    void add(byte[] request, long at) throws IOException {
      if (out.remaining() < request.length || waiting == due.length) {
        throw new IOException("the server cannot keep up with this rate");
      }
      out.put(request);
      due[(first + waiting++) % due.length] = at;
    }

    /** Sends the requests that are due and reads the replies that have arrived. */
    void turn(Histogram times) throws IOException {
      if (out.position() > 0) {
        out.flip();
        channel.write(out);
        out.compact();
      }
      if (waiting == 0) {
        return;
      }
      in.clear();
      if (channel.read(in) < 0) {
        throw new EOFException("the server has closed the connection");
      }
      long now = System.nanoTime();
      for (int i = 0; i < in.position(); i++) {
        byte b = in.get(i);
        if (b == '-' && newLine) {
          throw new IOException("the server rejects the request: " + text());
        }
        newLine = b == '\n';
        if (newLine) {
          times.recordValue(Math.max(1, now - due[first]));
          first = (first + 1) % due.length;
          waiting--;
        }
      }
    }

    private String text() {
      byte[] bytes = new byte[in.position()];
      in.get(0, bytes);
      return new String(bytes, US_ASCII).strip();
    }
  }
}
