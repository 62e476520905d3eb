package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** What the tests share: reading all keys, packing bytes, streams that come in drops. */
final class Reading {
  /** Compresses as the library that wrote the file would. */
  enum Packing {
    PLAIN(""),
    GZ(".gz"),
    XZ(".xz"),
    ZST(".zst"),
    BZ2(".bz2"),
    LZ4(".lz4");

    final String suffix;

    Packing(String suffix) {
      this.suffix = suffix;
    }

    byte[] pack(byte[] bytes) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = open(packed)) {
        out.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return packed.toByteArray();
    }

    private OutputStream open(OutputStream to) throws IOException {
      return switch (this) {
        case PLAIN -> to;
        case GZ -> new GZIPOutputStream(to);
        case XZ -> new XZOutputStream(to, new LZMA2Options(1));
        case ZST -> new ZstdOutputStream(to).setChecksum(true);
        case BZ2 -> new BZip2CompressorOutputStream(to);
        case LZ4 ->
            new LZ4FrameOutputStream(
                to, BLOCKSIZE.SIZE_64KB, FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_CHECKSUM);
      };
    }
  }

  /** A key as text with a char for each byte, so that all bytes can be compared and shown. */
  static List<String> keys(KeyReader reader) throws IOException {
    List<String> keys = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        keys.add(new String(reader.buffer(), reader.offset(), reader.length(), ISO_8859_1));
        if (reader.records() != keys.size()) {
          throw new AssertionError("counts %d records".formatted(reader.records()));
        }
      }
      if (reader.next()) {
        throw new AssertionError("continues after the end");
      }
    }
    return keys;
  }

  static List<String> keys(byte[] bytes, RecordFormat format, KeySpec key) throws IOException {
    return keys(open(bytes, "in", format, key));
  }

  /** For text that has a char for each byte. */
  static List<String> keys(String text, RecordFormat format, KeySpec key) throws IOException {
    return keys(text.getBytes(ISO_8859_1), format, key);
  }

  static KeyReader open(byte[] bytes, String name, RecordFormat format, KeySpec key) {
    return KeyReader.of(new ByteArrayInputStream(bytes), name, format, RecordSpec.of(key));
  }

  /** The UTF-8 of a text, as {@link #keys} shows it. */
  static String utf8(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /** Gives 1 to {@code most} bytes at a time and, like a slow pipe, never says more is there. */
  static InputStream drops(byte[] bytes, long seed, int most) {
    Random random = new Random(seed);
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        return super.read(to, offset, Math.min(length, 1 + random.nextInt(most)));
      }

      @Override
      public int available() {
        return 0;
      }
    };
  }

  private Reading() {}
}
