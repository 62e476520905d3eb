package dev.unseen.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.testing.Patience;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Talks to a server by plain bytes, and shows replies as a person would write them down. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;

  public RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  public RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout((int) Patience.LIMIT.toMillis());
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  public static byte[] request(String... words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
    for (String word : words) {
      byte[] utf8 = word.getBytes(UTF_8);
      bytes.writeBytes(("$" + utf8.length + "\r\n").getBytes(UTF_8));
      bytes.writeBytes(utf8);
      bytes.writeBytes("\r\n".getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  public String ask(String... words) throws IOException {
    send(request(words));
    return reply();
  }

  /** Asks with a line whose words are separated by single spaces. */
  public String say(String line) throws IOException {
    return ask(line.split(" ", -1));
  }

  /** Reads a reply with its type: {@code :1}, {@code +OK}, {@code [:1, :0]}, {@code nil}. */
  public String reply() throws IOException {
    char type = (char) in.readByte();
    String line = line();
    switch (type) {
      case '$', '=' -> {
        int length = Integer.parseInt(line);
        return length < 0 ? "nil" : bulk(length);
      }
      case '_' -> {
        return "nil";
      }
      case '*', '~' -> {
        return (type == '~' ? "~" : "") + elements(Integer.parseInt(line));
      }
      case '%' -> {
        return "%" + elements(2 * Integer.parseInt(line));
      }
      default -> {
        return type + line;
      }
    }
  }

  private String bulk(int length) throws IOException {
    byte[] bytes = in.readNBytes(length + 2);
    return "'" + new String(bytes, 0, length, ISO_8859_1) + "'";
  }

  /** Reads a reply that is a bulk string of any bytes, without quotes. */
  public byte[] bytes() throws IOException {
    String text = reply();
    return text.substring(1, text.length() - 1).getBytes(ISO_8859_1);
  }

  private String elements(int count) throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(reply());
    }
    return all.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.readUnsignedByte(); b != '\r'; b = in.readUnsignedByte()) {
      line.write(b);
    }
    in.readByte();
    return line.toString(UTF_8);
  }

  /** Waits for the first byte of a reply, which is still to be read. Returns whether it came. */
  public boolean awaitReply() throws IOException {
    in.mark(1);
    boolean came = in.read() >= 0;
    in.reset();
    return came;
  }

  /** Returns whether the server has closed the connection, after all that is still to be read. */
  public boolean isClosed() {
    try {
      while (in.read() >= 0) {}
      return true;
    } catch (IOException e) {
      return e.getMessage().contains("reset");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
