package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/** The compressions that are read, known by a file's first bytes. */
enum Compression {
  /** Read as it is. */
  NONE("", ""),

  /** Magic, and the one method there is. */
  GZIP(".gz", "\u001F\u008B\b"),

  /** As written by xz and its libraries; several streams behind each other are one. */
  XZ(".xz", "\u00FD7zXZ\0"),

  /** Several frames behind each other are one. */
  ZSTD(".zst", "(\u00B5/\u00FD");

  /** Enough of a file to know its compression. */
  static final int MAGIC_BYTES = 6;

  /** Parallel zstd writes such a frame first. */
  private static final Pattern SKIPPABLE_FRAME = Pattern.compile("[P-_]\\*M\u0018");

  /** For xz -9 65 MiB are enough. */
  private static final int XZ_MEMORY_KIB = 256 << 10;

  private final String suffix;
  private final String magic; // a char a byte

  Compression(String suffix, String magic) {
    this.suffix = suffix;
    this.magic = magic;
  }

  /** The compression of a file that starts with these bytes. */
  static Compression of(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (compression != NONE && text.startsWith(compression.magic)) {
        return compression;
      }
    }
    return SKIPPABLE_FRAME.matcher(text).lookingAt() ? ZSTD : NONE;
  }

  /** Whether a file that starts with these bytes may be compressed: they are a magic, or may be. */
  static boolean mayBegin(byte[] start, int length) {
    String text = new String(start, 0, Math.min(length, MAGIC_BYTES), ISO_8859_1);
    for (Compression compression : values()) {
      if (compression != NONE
          && (text.startsWith(compression.magic) || compression.magic.startsWith(text))) {
        return true;
      }
    }
    return SKIPPABLE_FRAME.matcher(text).lookingAt()
        || (text.length() < 4
            && SKIPPABLE_FRAME.matcher(text + "P*M\u0018".substring(text.length())).matches());
  }

  /** Whether a file is cut off within its magic: it is named so, and all there is of it fits. */
  boolean isCutOff(String fileName, byte[] start) {
    return this != NONE
        && fileName.endsWith(suffix)
        && start.length < magic.length()
        && magic.startsWith(new String(start, ISO_8859_1));
  }

  /** What the bytes of the input stand for. */
  InputStream decompress(PeekedInput in) throws IOException {
    return switch (this) {
      case NONE -> in;
      case GZIP -> new GzipMembers(in);
      case XZ -> new XZInputStream(in, XZ_MEMORY_KIB);
      case ZSTD -> new ZstdInputStreamNoFinalizer(in);
    };
  }

  /** A stream whose bytes go to another as the file's name asks for: compressed, or as they are. */
  static OutputStream compress(String fileName, OutputStream out) throws IOException {
    for (Compression compression : values()) {
      if (compression != NONE && fileName.endsWith(compression.suffix)) {
        return switch (compression) {
          case NONE -> out;
          case GZIP -> new GZIPOutputStream(out, 1 << 16);
          case XZ -> new XZOutputStream(out, new LZMA2Options());
          case ZSTD -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true);
        };
      }
    }
    return out;
  }

  /** A file's name without the suffix of its compression. */
  static String stripSuffix(String fileName) {
    for (Compression compression : values()) {
      if (compression != NONE && fileName.endsWith(compression.suffix)) {
        return fileName.substring(0, fileName.length() - compression.suffix.length());
      }
    }
    return fileName;
  }
}
