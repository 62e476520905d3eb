package dev.unseen.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.hash.Hash64;
import java.util.Arrays;

/**
 * One request: the name of a command and its arguments, as places in an array of bytes. No object
 * is created for an argument. A reader uses one request again and again, so its contents are valid
 * until the reader reads the next.
 */
public final class Request {
  private static final int USUAL_LENGTH = 16;
  private static final int USUAL_COUNT = 4096;
  private static final int OBJECTS = 112; // bytes: a request, the heads of its three arrays

  byte[] bytes = new byte[0];
  int base; // where the places are counted from
  private int[] at = new int[USUAL_LENGTH];
  private int[] length = new int[USUAL_LENGTH];
  private int count;

  /** Returns the bytes of memory that are used beyond what every request uses. */
  int extraBytes() {
    return 2 * Integer.BYTES * (at.length - USUAL_LENGTH);
  }

  void clear() {
    count = 0;
    if (at.length > USUAL_COUNT) { // a large request must not keep its memory
      at = new int[USUAL_LENGTH];
      length = new int[USUAL_LENGTH];
    }
  }

  void add(int place, int size) {
    if (count == at.length) {
      at = Arrays.copyOf(at, 2 * count);
      length = Arrays.copyOf(length, 2 * count);
    }
    at[count] = place;
    length[count++] = size;
  }

  /** Returns a copy that stays valid when the reader reads the next request. */
  public Request copy() {
    Request copy = new Request();
    copy.count = count;
    copy.at = new int[count];
    copy.length = Arrays.copyOf(length, count);
    copy.bytes = new byte[Arrays.stream(copy.length).sum()];
    for (int i = 0, to = 0; i < count; to += length[i++]) {
      copy.at[i] = to;
      System.arraycopy(bytes, base + at[i], copy.bytes, to, length[i]);
    }
    return copy;
  }

  /** Returns the bytes of memory that a {@link #copy} uses, about. */
  public int memoryBytes() {
    return OBJECTS + 2 * Integer.BYTES * at.length + bytes.length;
  }

  /** Returns the number of arguments, the name of the command included. */
  public int count() {
    return count;
  }

  /** Returns the size of an argument in bytes. */
  public int length(int index) {
    return length[index];
  }

  public byte at(int index, int place) {
    return bytes[base + at[index] + place];
  }

  /** Returns a copy of an argument. */
  public byte[] copy(int index) {
    int from = base + at[index];
    return Arrays.copyOfRange(bytes, from, from + length[index]);
  }

  public String text(int index) {
    return new String(bytes, base + at[index], length[index], UTF_8);
  }

  /** Returns an argument with one character for each byte, so that no byte is lost. */
  public String binary(int index) {
    return new String(bytes, base + at[index], length[index], ISO_8859_1);
  }

  public long hash(int index, Hash64 hash) {
    return hash.hash(bytes, base + at[index], length[index]);
  }

  /** Returns whether an argument is this word of capital letters, in either case. */
  public boolean is(int index, String word) {
    if (length[index] != word.length()) {
      return false;
    }
    int from = base + at[index];
    for (int i = 0; i < word.length(); i++) {
      if (upper(bytes[from + i]) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether an argument consists of exactly these bytes. */
  public boolean equal(int index, byte[] other) {
    int from = base + at[index];
    return length[index] == other.length
        && Arrays.equals(bytes, from, from + other.length, other, 0, other.length);
  }

  /** Returns a number that is equal for words that differ only in case. */
  public int wordHash(int index) {
    int hash = 0;
    int from = base + at[index];
    for (int i = from; i < from + length[index]; i++) {
      hash = hash * 31 + upper(bytes[i]);
    }
    return hash;
  }

  private static int upper(byte b) {
    return b >= 'a' && b <= 'z' ? b - 32 : b;
  }
}
