package dev.unseen.io;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.ZipException;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.XZIOException;

/** The bytes of a file as they were before compression, and its name for messages. */
public final class Source implements Closeable {
  private final String name;
  private final Compression compression;
  private final PeekedInput in;

  private Source(String name, Compression compression, PeekedInput in) {
    this.name = name;
    this.compression = compression;
    this.in = in;
  }

  /**
   * Whether a file is worth opening as a source: its name says that it is compressed, or its first
   * bytes do, or there are so few of them that they may yet.
   */
  public static boolean mayBeCompressed(String name, byte[] start, int length) {
    return !Compression.stripSuffix(name).equals(name) || Compression.mayBegin(start, length);
  }

  /** Takes the stream over: it is closed with the source, or at once if this fails. */
  public static Source open(InputStream raw, String name) throws InputException {
    PeekedInput in = new PeekedInput(raw);
    Compression compression = Compression.NONE;
    try {
      byte[] start = in.peek(Compression.MAGIC_BYTES);
      for (Compression known : Compression.values()) {
        if (known.isCutOff(name, start)) {
          compression = known;
          throw new EOFException();
        }
      }
      compression = Compression.of(start);
      InputStream plain = compression.decompress(in);
      return new Source(name, compression, plain == in ? in : new PeekedInput(plain));
    } catch (IOException e) {
      InputException failure = failure(name, compression, e, 0);
      closeAfter(failure, in);
      throw failure;
    }
  }

  static void closeAfter(Exception failure, Closeable opened) {
    try {
      opened.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  String name() {
    return name;
  }

  InputStream stream() {
    return in;
  }

  /**
   * Reads what there is, at least one byte.
   *
   * @param records read so far, for the message if this fails; negative if it is not to say
   * @return the count, or -1 at the end
   */
  public int read(byte[] to, int offset, int length, long records) throws InputException {
    try {
      return in.read(to, offset, length);
    } catch (IOException e) {
      throw failure(e, records);
    }
  }

  /** Skips the mark with which some programs start text in UTF-8. */
  void skipByteOrderMark() throws InputException {
    try {
      byte[] start = in.peek(3);
      int mark = start.length < 2 ? 0 : (start[0] & 0xFF) << 8 | (start[1] & 0xFF);
      if (mark == 0xFEFF || mark == 0xFFFE) {
        throw new InputException(
            "%s is UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8".formatted(name));
      }
      if (mark == 0xEFBB && start.length == 3 && (start[2] & 0xFF) == 0xBF) {
        in.skipNBytes(3);
      }
    } catch (IOException e) {
      throw failure(e, 0);
    }
  }

  /** What to tell the user about a failure that came after so many records. */
  InputException failure(IOException e, long records) {
    return failure(name, compression, e, records);
  }

  private static InputException failure(
      String name, Compression compression, IOException e, long records) {
    if (e instanceof InputException told) {
      return told;
    }
    String place =
        records < 0
            ? ""
            : records == 0 ? " before its first record" : " after record %d".formatted(records);
    String kind = compression.name().toLowerCase(Locale.ROOT);
    String message;
    if (e instanceof EOFException || isCutOffZstd(e)) {
      message =
          "%s is cut off%s: its %s data ends too early; copy or make the file again"
              .formatted(name, place, kind);
    } else if (e instanceof MemoryLimitException tooMuch) {
      message =
          "%s needs %d MiB to be unpacked, of at most %d; unpack it with xz -dc first"
              .formatted(name, tooMuch.getMemoryNeeded() >> 10, tooMuch.getMemoryLimit() >> 10);
    } else if (e instanceof ZstdIOException zstd
        && zstd.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()) {
      message =
          "%s needs more than 128 MiB to be unpacked; unpack it with zstd -dc --long=31 first"
              .formatted(name);
    } else if (e instanceof ZipException
        || e instanceof XZIOException
        || e instanceof ZstdIOException) {
      message =
          "%s is damaged%s: its %s data cannot be unpacked (%s); copy or make the file again"
              .formatted(name, place, kind, e.getMessage());
    } else {
      message = "%s cannot be read%s: %s".formatted(name, place, e.getMessage());
    }
    return new InputException(message, e);
  }

  private static boolean isCutOffZstd(IOException e) {
    return e instanceof ZstdIOException
        && e.getMessage().toLowerCase(Locale.ROOT).contains("trunc");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
