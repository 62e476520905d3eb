package dev.unseen.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/**
 * Writes replies, in RESP2 or RESP3: what RESP2 has no form for takes the form that Redis gives it
 * there. A boolean becomes 1 or 0, a map a flat list, a double a text.
 */
public final class RespWriter {
  private static final int USUAL_BYTES = 4096;
  private static final int KEPT_BYTES = 256 << 10;
  private static final int MAX_ERROR = 1024;

  private byte[] bytes = new byte[USUAL_BYTES];
  private int length;
  private boolean resp3;

  /** Sets the version of the protocol, 2 or 3. */
  public void protocol(int version) {
    resp3 = version == 3;
  }

  /** Returns the version of the protocol. */
  public int protocol() {
    return resp3 ? 3 : 2;
  }

  /** Returns the number of bytes written and not yet taken. */
  public int length() {
    return length;
  }

  /** Drops what was written after this length. */
  public void rewind(int to) {
    length = to;
  }

  /** Writes what another writer has written. */
  public void raw(RespWriter other) {
    room(other.length);
    System.arraycopy(other.bytes, 0, bytes, length, other.length);
    length += other.length;
  }

  /** Returns the bytes written so far, and resets the writer. */
  public ByteBuf take(ByteBufAllocator allocator) {
    ByteBuf taken = allocator.ioBuffer(length).writeBytes(bytes, 0, length);
    length = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[USUAL_BYTES];
    }
    return taken;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
    }
  }

  /** Writes a short text without line ends, such as OK. */
  public void simple(String text) {
    line('+', text);
  }

  /**
   * Writes an error, with its code first, such as {@code ERR not found}. A long one, which quotes
   * what the client has sent, is cut.
   */
  public void error(String text) {
    String cut = text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) + "..." : text;
    line('-', cut.replace('\r', ' ').replace('\n', ' '));
  }

  private void line(char type, String text) {
    room(1);
    bytes[length++] = (byte) type;
    append(text.getBytes(UTF_8));
  }

  /** Writes bytes and the end of their line. */
  private void append(byte[] value) {
    room(value.length + 2);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    endLine();
  }

  private void endLine() {
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  public void integer(long value) {
    head(':', value);
  }

  /** Writes whether something holds: a boolean, or 1 or 0 in RESP2. */
  public void bool(boolean value) {
    room(4);
    bytes[length++] = (byte) (resp3 ? '#' : ':');
    bytes[length++] = (byte) (resp3 ? (value ? 't' : 'f') : (value ? '1' : '0'));
    endLine();
  }

  /** Writes an array of {@link #bool}, one for each of the first bits. */
  public void bools(long[] bits, int count) {
    array(count);
    room(Math.multiplyExact(4, count));
    byte[] to = bytes;
    byte type = (byte) (resp3 ? '#' : ':');
    byte yes = (byte) (resp3 ? 't' : '1');
    byte no = (byte) (resp3 ? 'f' : '0');
    int at = length;
    for (int i = 0; i < count; i++, at += 4) {
      to[at] = type;
      to[at + 1] = ((bits[i >>> 6] >>> i) & 1) != 0 ? yes : no;
      to[at + 2] = '\r';
      to[at + 3] = '\n';
    }
    length = at;
  }

  /** Writes a number with a fraction. */
  public void number(double value) {
    if (resp3) {
      line(',', text(value));
    } else {
      bulk(text(value));
    }
  }

  private static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
  }

  public void bulk(byte[] value) {
    head('$', value.length);
    append(value);
  }

  public void bulk(String text) {
    bulk(text.getBytes(UTF_8));
  }

  /** Writes a text that has one character for each of its bytes: see {@link Request#binary}. */
  public void binary(String text) {
    bulk(text.getBytes(ISO_8859_1));
  }

  /** Writes a long text, such as that of INFO. */
  public void verbatim(String text) {
    if (resp3) {
      byte[] value = ("txt:" + text).getBytes(UTF_8);
      head('=', value.length);
      append(value);
    } else {
      bulk(text);
    }
  }

  /** Writes that there is nothing. */
  public void nil() {
    room(5);
    if (resp3) {
      bytes[length++] = '_';
    } else {
      bytes[length++] = '$';
      bytes[length++] = '-';
      bytes[length++] = '1';
    }
    endLine();
  }

  /** Begins an array; its elements follow. */
  public void array(int count) {
    head('*', count);
  }

  public void set(int count) {
    head(resp3 ? '~' : '*', count);
  }

  /** Begins a map; a key and a value follow for each entry. */
  public void map(int entries) {
    head(resp3 ? '%' : '*', resp3 ? entries : 2L * entries);
  }

  public void entry(String key, String value) {
    bulk(key);
    bulk(value);
  }

  public void entry(String key, long value) {
    bulk(key);
    integer(value);
  }

  private void head(char type, long value) {
    room(24);
    bytes[length++] = (byte) type;
    if (value >= 0 && value < 10) {
      bytes[length++] = (byte) ('0' + value);
    } else {
      String digits = Long.toString(value);
      for (int i = 0; i < digits.length(); i++) {
        bytes[length++] = (byte) digits.charAt(i);
      }
    }
    endLine();
  }
}
