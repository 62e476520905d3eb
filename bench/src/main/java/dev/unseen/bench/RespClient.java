package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.random.RandomGenerator;

/** A connection to a server that speaks Redis's protocol, for pipelines of requests. */
final class RespClient implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private int unanswered;
  private long errors;
  private String lastError = "";

  RespClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
  }

  /** Puts a request into the pipeline. */
  void send(String... words) throws IOException {
    out.write(request(words));
    unanswered++;
  }

  /** Sends bytes that are no whole request. */
  void sendPart(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Returns a request in which the word KEY stands for one of a hundred million keys. */
  static byte[] request(RandomGenerator random, String... words) {
    String[] drawn = words.clone();
    for (int i = 0; i < drawn.length; i++) {
      if (drawn[i].equals("KEY")) {
        drawn[i] = "key:%012d".formatted(random.nextInt(100_000_000));
      }
    }
    return request(drawn);
  }

  static byte[] request(String... words) {
    StringBuilder text = new StringBuilder("*").append(words.length).append("\r\n");
    for (String word : words) {
      text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString().getBytes(US_ASCII);
  }

  /** Sends the pipeline and reads all replies. */
  void settle() throws IOException {
    out.flush();
    for (; unanswered > 0; unanswered--) {
      reply();
    }
  }

  /** Sends a request alone and returns its reply: the text, or the line of another type. */
  String ask(String... words) throws IOException {
    settle();
    out.write(request(words));
    out.flush();
    return reply();
  }

  private String reply() throws IOException {
    String line = line();
    switch (line.charAt(0)) {
      case '$' -> {
        int count = count(line);
        return count < 0 ? "" : new String(in.readNBytes(count + 2), US_ASCII);
      }
      case '*' -> {
        for (int i = count(line); i > 0; i--) {
          reply();
        }
      }
      case '-' -> {
        errors++;
        lastError = line;
      }
      default -> {}
    }
    return line;
  }

  private static int count(String line) {
    return Integer.parseInt(line, 1, line.length(), 10);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server has closed the connection");
      }
      line.append((char) b);
    }
    in.skipNBytes(1);
    return line.toString();
  }

  long errors() {
    return errors;
  }

  String lastError() {
    return lastError;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
