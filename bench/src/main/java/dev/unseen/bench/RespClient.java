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

  /** Sends a request alone and returns the first line of its reply, with its type. */
  String ask(String... words) throws IOException {
    start(words);
    return reply();
  }

  /** Sends a request alone and returns its reply, which is one text. */
  String askText(String... words) throws IOException {
    start(words);
    String line = line();
    byte[] text = in.readNBytes(line.charAt(0) == '$' ? count(line) + 2 : 0);
    return new String(text, US_ASCII);
  }

  private void start(String... words) throws IOException {
    settle();
    out.write(request(words));
    out.flush();
  }

  private String reply() throws IOException {
    String line = line();
    int count =
        line.length() > 1 && line.charAt(0) != '+' && line.charAt(0) != '-' ? count(line) : 0;
    switch (line.charAt(0)) {
      case '$' -> in.skipNBytes(count < 0 ? 0 : count + 2);
      case '*' -> {
        for (int i = 0; i < count; i++) {
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
    return line.charAt(0) == ':' ? 0 : Integer.parseInt(line, 1, line.length(), 10);
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
