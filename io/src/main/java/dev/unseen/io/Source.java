package dev.unseen.io;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.MemoryLimitException;

/**
 * Reads the uncompressed bytes of a file, of stdin or of another stream. This is the only class
 * that looks at first bytes: they show how a file is compressed, or that it cannot be read.
 *
 * <p>It uses plain streams, not channels: they are as fast with large reads, and fewer classes are
 * loaded on startup.
 */
public final class Source implements Closeable {
  /** The path that stands for stdin. */
  public static final String STDIN = "-";

  /** The messages of libraries that have no special exception for a file that is cut off. */
  private static final Pattern TOO_SHORT =
      Pattern.compile("(?i).*(trunc|premature end|unexpected end|end of stream).*");

  private static final int BUFFER_BYTES = 1 << 16;

  private final String name;
  private final boolean closes;
  private final Counted file;
  private final InputStream raw; // the bytes of the file, buffered
  private Compression compression = Compression.NONE;
  private @Nullable InputStream plain; // null until the first bytes have been read
  private byte @Nullable [] first = new byte[Unreadable.MAGIC_BYTES]; // null once they are known
  private int firstLength;

  private Source(InputStream in, String name, String quotedName, boolean closes) {
    this.name = name;
    this.closes = closes;
    this.file = new Counted(in, quotedName);
    this.raw = new BufferedInputStream(file, BUFFER_BYTES);
  }

  /** Opens a file. The path {@code -} is stdin, which is not closed, so it may be given twice. */
  public static Source open(String path) throws InputException {
    if (path.equals(STDIN)) {
      return new Source(System.in, "stdin", "stdin", false);
    }
    try {
      return new Source(new FileInputStream(path), path, nameOf(path), true);
    } catch (FileNotFoundException e) {
      throw new InputException("cannot read %s: %s".formatted(nameOf(path), reasonOf(e, path)), e);
    }
  }

  /** Creates a source from a stream, which is closed with the source. */
  public static Source of(InputStream in, String name) {
    return new Source(in, name, name, true);
  }

  /** Returns the form of a path that messages show. */
  public static String nameOf(String path) {
    return path.equals(STDIN) ? "stdin" : "'" + path + "'";
  }

  /** Returns the message of an exception, of {@code PATH (REASON)} only the reason. */
  public static String reasonOf(IOException e, String path) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith(path + " (")
        ? message.substring(path.length() + 2, message.length() - 1)
        : message;
  }

  /** Returns the name for messages about records. */
  public String name() {
    return name;
  }

  /**
   * Returns the number of bytes of the file, as it is on disk, that have been read. Call it only
   * from the thread that reads.
   */
  public long position() {
    return file.fetched;
  }

  /** Returns whether the bytes that were read are compressed as the name of the file says. */
  public boolean isPackedAsNamed() {
    return compression == Compression.named(name);
  }

  /**
   * Waits for the first byte, then reads all bytes that are available. Returns their number, or -1
   * at the end.
   */
  public int read(byte[] to, int offset, int length) throws InputException {
    try {
      InputStream in = plain == null ? begin() : plain;
      int count = in.read(to, offset, length);
      byte[] seen = first;
      if (seen != null && count > 0) {
        look(seen, to, offset, count);
      }
      return count;
    } catch (InputException e) {
      throw e;
    } catch (IOException e) {
      throw failure(e);
    } catch (RuntimeException e) { // a library may throw it for damaged bytes
      if (compression == Compression.NONE) {
        throw e;
      }
      throw damaged(e);
    }
  }

  /**
   * Rejects what cannot be read, as soon as its first bytes show it. It never waits for more bytes,
   * because a record that has arrived must not wait.
   */
  private void look(byte[] seen, byte[] bytes, int offset, int count) throws InputException {
    int more = Math.min(count, seen.length - firstLength);
    System.arraycopy(bytes, offset, seen, firstLength, more);
    firstLength += more;
    Unreadable.reject(name, seen, firstLength, compression != Compression.NONE);
    if (firstLength == seen.length) {
      first = null;
    }
  }

  /** Reads no more bytes than it takes to see that the file is not compressed. */
  private InputStream begin() throws IOException {
    plain = raw;
    byte[] start = peek();
    for (Compression each : Compression.values()) {
      if (each.isCutOff(name, start)) {
        compression = each;
        throw new EOFException();
      }
    }
    compression = Compression.of(start);
    InputStream unpacked = compression.decompress(raw);
    plain = unpacked;
    return unpacked;
  }

  /** Returns the first bytes, as few as show that they are not compressed, or all of the magic. */
  private byte[] peek() throws IOException {
    boolean named = Compression.named(name) != Compression.NONE;
    byte[] start = {};
    raw.mark(Compression.MAGIC_BYTES);
    int next = raw.read();
    while (next >= 0) {
      start = Arrays.copyOf(start, start.length + 1);
      start[start.length - 1] = (byte) next;
      boolean wantsMore =
          start.length < Compression.MAGIC_BYTES && (named || Compression.mayBegin(start));
      next = wantsMore ? raw.read() : -1;
    }
    raw.reset();
    return start;
  }

  /** Returns the exception to show to the user if decompression fails. */
  private InputException failure(IOException e) {
    String kind = compression.name().toLowerCase(Locale.ROOT);
    if (e instanceof EOFException || TOO_SHORT.matcher(String.valueOf(e.getMessage())).matches()) {
      return new InputException(
          "%s is cut off: its %s data ends too early; copy or make the file again"
              .formatted(name, kind),
          e);
    }
    if (e instanceof MemoryLimitException tooMuch) {
      return new InputException(
          "%s needs %d MiB to be unpacked, of at most %d; unpack it with xz -dc first"
              .formatted(name, tooMuch.getMemoryNeeded() >> 10, tooMuch.getMemoryLimit() >> 10),
          e);
    }
    if (e instanceof ZstdIOException zstd
        && zstd.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()) {
      return new InputException(
          "%s needs more than 128 MiB to be unpacked; unpack it with zstd -dc --long=31 first"
              .formatted(name),
          e);
    }
    return damaged(e);
  }

  private InputException damaged(Exception e) {
    return new InputException(
        "%s is damaged: its %s data cannot be unpacked (%s); copy or make the file again"
            .formatted(name, compression.name().toLowerCase(Locale.ROOT), e.getMessage()),
        e);
  }

  /** Closes the file. A failure to close is ignored, because no more bytes are needed. */
  @Override
  public void close() {
    try {
      if (closes) {
        file.close();
      }
      if (plain != null && plain != raw) {
        plain.close();
      }
    } catch (IOException | RuntimeException e) {
      // nothing is lost
    }
  }

  /** Counts the bytes of a stream, and names it in failures. */
  private static final class Counted extends FilterInputStream {
    private final String quotedName;
    private long fetched;

    Counted(InputStream in, String quotedName) {
      super(in);
      this.quotedName = quotedName;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      try {
        int count = in.read(to, offset, length);
        fetched += Math.max(count, 0);
        return count;
      } catch (IOException e) {
        throw new InputException("cannot read %s: %s".formatted(quotedName, e.getMessage()), e);
      }
    }

    @Override
    public int available() {
      try {
        return in.available();
      } catch (IOException e) {
        return 0; // some devices cannot say
      }
    }
  }
}
