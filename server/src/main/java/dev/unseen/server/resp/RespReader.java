package dev.unseen.server.resp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Cuts the bytes of a client into requests, however the network has split them.
 *
 * <pre>
 * *2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n      an array of arguments, as clients send it
 * ECHO hi\r\n                          a typed line; words may be quoted
 * </pre>
 *
 * <p>It remembers how far it has read a request, so that no byte is looked at twice. The bytes are
 * in one array, which grows with the largest request and shrinks after it.
 */
public final class RespReader {
  private static final int USUAL_BYTES = 4 << 10;
  private static final int NUMBER_BYTES = 32; // no length needs more digits

  private final Request request = new Request();
  private RequestLimits limits;
  private byte[] bytes = new byte[USUAL_BYTES];
  private int start; // of the request
  private int end; // of the bytes
  private int at; // how far the request has been read, from start
  private int missing = -1; // arguments still missing; -1: the request has not begun
  private int size = -1; // of the next argument; -1: not yet known

  /** Creates a reader that rejects requests beyond these limits. */
  public RespReader(RequestLimits limits) {
    this.limits = limits;
  }

  /** Sets other limits, from the next request on. */
  public void limits(RequestLimits other) {
    this.limits = other;
  }

  /** Adds bytes from the network. */
  public void feed(ByteBuf from) {
    int more = from.readableBytes();
    if (bytes.length - end < more) {
      makeRoom(more);
    }
    from.readBytes(bytes, end, more);
    end += more;
  }

  private void makeRoom(int more) {
    int held = end - start;
    int needed = Math.addExact(held, more);
    byte[] target = bytes;
    if (needed > bytes.length) {
      long enough = limits.requestBytes() + (long) USUAL_BYTES; // more would never be used
      target = new byte[(int) Math.max(needed, Math.min(2L * held, enough))];
    }
    System.arraycopy(bytes, start, target, 0, held);
    bytes = target;
    start = 0;
    end = held;
  }

  /** Returns the bytes of memory that are used beyond what every reader uses. */
  public int extraBytes() {
    return bytes.length - USUAL_BYTES + request.extraBytes();
  }

  /** Returns the number of bytes that are waiting for the rest of their request, or their turn. */
  public int waiting() {
    return end - start;
  }

  /**
   * Returns the next request, or null if it is not complete. The request is valid until the next
   * call of this method or of {@link #feed}.
   */
  public Request next() throws ProtocolException {
    while (start < end) {
      if (missing < 0 && bytes[start] != '*') {
        if (!readLine()) {
          return null;
        }
        if (request.count() > 0) {
          return request;
        }
      } else {
        if (!readArray()) {
          return null;
        }
        begin();
        if (request.count() > 0) {
          return request;
        }
      }
    }
    if (bytes.length > USUAL_BYTES && start == end) {
      bytes = new byte[USUAL_BYTES]; // a large request must not keep its memory
      request.clear();
      start = 0;
      end = 0;
    }
    return null;
  }

  /** Moves to the end of the request that was read. */
  private void begin() {
    request.bytes = bytes;
    request.base = start;
    start += at;
    at = 0;
    missing = -1;
    size = -1;
  }

  private boolean readArray() throws ProtocolException {
    if (missing < 0) {
      long count = number(1, "invalid multibulk length");
      if (count == UNKNOWN) {
        return false;
      }
      if (count > limits.arguments()) {
        throw new ProtocolException(
            "invalid multibulk length: %d arguments, the limit is %d; send several shorter requests"
                .formatted(count, limits.arguments()));
      }
      request.clear();
      missing = (int) Math.max(0, count);
    }
    for (; missing > 0; missing--) {
      if (!readArgument()) {
        return false;
      }
    }
    return true;
  }

  private boolean readArgument() throws ProtocolException {
    if (size < 0) {
      if (start + at >= end) {
        return false;
      }
      if (bytes[start + at] != '$') {
        throw new ProtocolException("expected '$', got '%s'".formatted(shown(bytes[start + at])));
      }
      long length = number(at + 1, "invalid bulk length");
      if (length == UNKNOWN) {
        return false;
      }
      if (length < 0 || length > limits.argumentBytes()) {
        throw new ProtocolException(
            "invalid bulk length: %d bytes, the limit is %d"
                .formatted(length, limits.argumentBytes()));
      }
      if (at + length > limits.requestBytes()) {
        throw new ProtocolException(
            "the request is larger than %d bytes; send several shorter requests"
                .formatted(limits.requestBytes()));
      }
      size = (int) length;
    }
    if (end - start - at < size + 2) {
      return false;
    }
    request.add(at, size);
    at += size + 2;
    size = -1;
    return true;
  }

  private static String shown(byte b) {
    return b > ' ' && b < 127 ? String.valueOf((char) b) : "byte " + (b & 0xFF);
  }

  private static final long UNKNOWN = Long.MIN_VALUE;

  /** Reads a number and the end of its line, and moves after it. Returns UNKNOWN at the end. */
  private long number(int from, String wrong) throws ProtocolException {
    int i = start + from;
    boolean negative = i < end && bytes[i] == '-';
    long value = 0;
    for (int digit = negative ? i + 1 : i; digit < end; digit++) {
      byte b = bytes[digit];
      if (b == '\r') {
        if (digit == i || digit + 1 >= end) {
          break;
        }
        at = digit + 2 - start;
        return negative ? -value : value;
      }
      if (b < '0' || b > '9' || digit - i > 18) {
        throw new ProtocolException(wrong);
      }
      value = value * 10 + (b - '0');
    }
    if (end - i > NUMBER_BYTES || (i < end && bytes[i] == '\r')) {
      throw new ProtocolException(wrong);
    }
    return UNKNOWN;
  }

  /** Reads a line of words. Returns false if it is incomplete. */
  private boolean readLine() throws ProtocolException {
    int newline = start + at;
    while (newline < end && bytes[newline] != '\n') {
      newline++;
    }
    if (newline - start > RequestLimits.INLINE_BYTES) {
      throw new ProtocolException("too big inline request");
    }
    at = newline - start;
    if (newline == end) {
      return false;
    }
    int last = newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
    request.clear();
    request.base = 0;
    request.bytes = InlineWords.split(Arrays.copyOfRange(bytes, start, last), request);
    start = newline + 1;
    at = 0;
    return true;
  }
}
