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
 * The compressions that can be read and written, recognized by the first bytes of a file. Several
 * compressed files one after the other are read as one.
 */
public enum Compression {
  /** No compression. */
  NONE("", "(?!)"),

  /** gzip: its magic bytes, and the only method that exists. */
  GZIP(".gz", "\\x1F\\x8B\\x08"),

  /** xz, as written by xz and its libraries. */
  XZ(".xz", "\\xFD7zXZ\\x00"),

  /** zstd: a frame, or a frame to be skipped, which parallel zstd writes first. */
  ZSTD(".zst", "\\(\\xB5/\\xFD|[P-_]\\*M\\x18"),

  /** bzip2: its magic bytes, the level, and the magic bytes of a block or of the end. */
  BZIP2(".bz2", "BZh[1-9](1AY&SY|\\x17rE8P\\x90)"),

  /**
   * lz4: the frames that the command lz4 writes. One library reads all of them, also frames whose
   * blocks depend on each other; the other library writes, a hundred times as fast.
   */
  LZ4(".lz4", "\\x04\"M\\x18");

  /** The number of bytes that identify a compression. */
  static final int MAGIC_BYTES = 10;

  /** The memory limit for xz in KiB. xz -9 needs 65 MiB. */
  private static final int XZ_MEMORY_KIB = 256 << 10;

  private final String suffix;
  private final Pattern magic; // one char per byte

  Compression(String suffix, String magic) {
    this.suffix = suffix;
    this.magic = Pattern.compile(magic);
  }

  /** Returns the compression of a file that starts with these bytes. */
  static Compression of(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (compression.magic.matcher(text).lookingAt()) {
        return compression;
      }
    }
    return NONE;
  }

  /** Returns whether a file that starts with these few bytes may be compressed. */
  static boolean mayBegin(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Compression compression : values()) {
      if (compression.matches(text)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether these bytes are the magic bytes, or the beginning of them. */
  @SuppressWarnings("JdkObsolete") // more bytes could make it match: just what hitEnd() returns
  private boolean matches(String text) {
    Matcher matcher = magic.matcher(text);
    return matcher.lookingAt() || (matcher.hitEnd() && this != NONE);
  }

  /**
   * Returns whether a file ends within its magic bytes: its name has the suffix, and all its bytes
   * match.
   */
  boolean isCutOff(String fileName, byte[] start) {
    return this != NONE
        && fileName.endsWith(suffix)
        && start.length < MAGIC_BYTES
        && of(start) == NONE
        && matches(new String(start, ISO_8859_1));
  }

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

  /** Returns a stream that compresses according to the file's name, or the stream itself. */
  public static OutputStream compress(String fileName, OutputStream out) throws IOException {
    return switch (named(fileName)) {
      case NONE -> out;
      case GZIP -> new GZIPOutputStream(out, 1 << 16);
      case XZ -> new XZOutputStream(out, new LZMA2Options());
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true);
      case BZIP2 -> new BZip2CompressorOutputStream(out);
      case LZ4 -> new LZ4FrameOutputStream(out);
    };
  }

  /** Returns a file's name without the suffix of its compression. */
  public static String stripSuffix(String fileName) {
    return fileName.substring(0, fileName.length() - named(fileName).suffix.length());
  }

  /** Returns the compression that a file's name asks for. */
  public static Compression named(String fileName) {
    for (Compression compression : values()) {
      if (compression != NONE && fileName.endsWith(compression.suffix)) {
        return compression;
      }
    }
    return NONE;
  }
}
