package dev.unseen.server.resp;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Splits a line into words, as redis-cli and Redis do: words are separated by white space; within
 * double quotes {@code \n}, {@code \r}, {@code \t}, {@code \b}, {@code \a}, {@code \xff} and a
 * backslash before any other character are understood, within single quotes only {@code \'}.
 */
final class InlineWords {
  private final byte[] line;
  private final byte[] out;
  private int at;
  private int length;

  private InlineWords(byte[] line) {
    this.line = line;
    this.out = new byte[line.length];
  }

  /** Adds the words to a request, and returns the bytes that their places are in. */
  static byte[] split(byte[] line, Request to) throws ProtocolException {
    InlineWords words = new InlineWords(line);
    while (words.skipSpace()) {
      int from = words.length;
      words.word();
      to.add(from, words.length - from);
    }
    return Arrays.copyOf(words.out, words.length);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r') || b == 0;
  }

  private boolean skipSpace() {
    while (at < line.length && isSpace(line[at])) {
      at++;
    }
    return at < line.length;
  }

  private void word() throws ProtocolException {
    while (at < line.length && !isSpace(line[at])) {
      byte b = line[at++];
      if (b == '"' || b == '\'') {
        quoted(b);
      } else {
        out[length++] = b;
      }
    }
  }

  private void quoted(byte quote) throws ProtocolException {
    while (at < line.length) {
      byte b = line[at++];
      if (b == quote) {
        if (at < line.length && !isSpace(line[at])) {
          break; // a quote ends a word
        }
        return;
      }
      if (b == '\\' && at < line.length && (quote == '"' || line[at] == '\'')) {
        escaped(line[at++]);
      } else {
        out[length++] = b;
      }
    }
    throw new ProtocolException("unbalanced quotes in request");
  }

  private void escaped(byte b) {
    boolean hex =
        b == 'x'
            && at + 2 <= line.length
            && HexFormat.isHexDigit(line[at])
            && HexFormat.isHexDigit(line[at + 1]);
    if (hex) {
      out[length++] =
          (byte) (HexFormat.fromHexDigit(line[at]) * 16 + HexFormat.fromHexDigit(line[at + 1]));
      at += 2;
      return;
    }
    out[length++] =
        switch (b) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'b' -> '\b';
          case 'a' -> 7;
          default -> b;
        };
  }
}
