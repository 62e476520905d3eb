package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The compressions that are read and written, known by a file's first bytes. In each of them
 * several files behind each other are one.
 */
enum Compression {
  /** Read as it is. */
  NONE("", "(?!)"),

  /** Magic, and the one method there is. */
  GZIP(".gz", "\\x1F\\x8B\\x08"),

  /** As written by xz and its libraries. */
  XZ(".xz", "\\xFD7zXZ\\x00"),

  /** A frame, or one to be skipped, which parallel zstd writes first. */
  ZSTD(".zst", "\\(\\xB5/\\xFD|[P-_]\\*M\\x18"),

  /** Magic, level, and the magic of a block or of the end. */
  BZIP2(".bz2", "BZh[1-9](1AY&SY|\\x17rE8P\\x90)"),

  /**
   * The frames that the command lz4 writes. One library reads all of them, also those whose blocks
   * depend on each other; the other one writes, a hundred times as fast.
   */
  LZ4(".lz4", "\\x04\"M\\x18");

  /** Enough of a file to know its compression. */
  static final int MAGIC_BYTES = 10;

  /** For xz -9 65 MiB are enough. */
  private static final int XZ_MEMORY_KIB = 256 << 10;

  private final String suffix;
  private final Pattern magic; // a char a byte

  Compression(String suffix, String magic) {
    this.suffix = suffix;
    this.magic = Pattern.compile(magic);
  }

  /** The compression of a file that starts with these bytes. */
  static Compression of(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (compression.magic.matcher(text).lookingAt()) {
        return compression;
      }
    }
    return NONE;
  }

  /** Whether a file that starts with these few bytes may be compressed, for all they tell. */
  static boolean mayBegin(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (compression.matches(text)) {
        return true;
      }
    }
    return false;
  }

  /** Whether these bytes are the magic, or the beginning of it. */
  private boolean matches(String text) {
    Matcher matcher = magic.matcher(text);
    return matcher.lookingAt() || (matcher.hitEnd() && this != NONE);
  }

  /** Whether a file is cut off within its magic: it is named so, and all there is of it fits. */
  boolean isCutOff(String fileName, byte[] start) {
    return this != NONE
        && fileName.endsWith(suffix)
        && start.length < MAGIC_BYTES
        && of(start) == NONE
        && matches(new String(start, ISO_8859_1));
  }

  /** What the bytes of the input stand for. */
  InputStream decompress(InputStream in) throws IOException {
    return switch (this) {
      case NONE -> in;
      case GZIP -> new GzipMembers(in);
      case XZ -> new XZInputStream(in, XZ_MEMORY_KIB);
      case ZSTD -> new ZstdInputStreamNoFinalizer(in);
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case LZ4 -> new FramedLZ4CompressorInputStream(in, true);
    };
  }

  /** A stream whose bytes go to another as the file's name asks for: compressed, or as they are. */
  static OutputStream compress(String fileName, OutputStream out) throws IOException {
    return switch (named(fileName)) {
      case NONE -> out;
      case GZIP -> new GZIPOutputStream(out, 1 << 16);
      case XZ -> new XZOutputStream(out, new LZMA2Options());
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true);
      case BZIP2 -> new BZip2CompressorOutputStream(out);
      case LZ4 -> new LZ4FrameOutputStream(out);
    };
  }

  /** A file's name without the suffix of its compression. */
  static String stripSuffix(String fileName) {
    return fileName.substring(0, fileName.length() - named(fileName).suffix.length());
  }

  /** The compression that a file's name asks for. */
  static Compression named(String fileName) {
    for (Compression compression : values()) {
      if (compression != NONE && fileName.endsWith(compression.suffix)) {
        return compression;
      }
    }
    return NONE;
  }
}
