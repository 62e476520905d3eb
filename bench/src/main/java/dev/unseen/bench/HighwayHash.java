package dev.unseen.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * HighwayHash with 64 bits, without vector instructions, which Java does not offer; written from
 * Alakuijala, Cox and Wassenberg, <i>Fast keyed hash/pseudo-random function using SIMD multiply and
 * permute</i>, 2016. It is a contestant and not part of the product. It is not thread-safe.
 */
final class HighwayHash implements KeyedHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long[] INIT_0 = {
    0xDBE6D5D5FE4CCE2FL, 0xA4093822299F31D0L, 0x13198A2E03707344L, 0x243F6A8885A308D3L
  };
  private static final long[] INIT_1 = {
    0x3BD39E10CB0EF593L, 0xC0ACF169B5F18A8CL, 0xBE5466CF34E90C6CL, 0x452821E638D01377L
  };

  private static final int PACKET = 32;

  private final long[] key;
  private final long[] v0 = new long[4];
  private final long[] v1 = new long[4];
  private final long[] mul0 = new long[4];
  private final long[] mul1 = new long[4];
  private final byte[] rest = new byte[PACKET];

  HighwayHash(long... key) {
    this.key = key.clone();
  }

  @Override
  public long hash(byte[] bytes, int offset, int length) {
    for (int i = 0; i < 4; i++) {
      mul0[i] = INIT_0[i];
      mul1[i] = INIT_1[i];
      v0[i] = INIT_0[i] ^ key[i];
      v1[i] = INIT_1[i] ^ Long.rotateLeft(key[i], 32);
    }
    int at = offset;
    for (int end = offset + (length & -PACKET); at < end; at += PACKET) {
      update(bytes, at);
    }
    if (at < offset + length) {
      remainder(bytes, at, length % PACKET);
    }
    for (int i = 0; i < 4; i++) {
      update(
          Long.rotateLeft(v0[2], 32),
          Long.rotateLeft(v0[3], 32),
          Long.rotateLeft(v0[0], 32),
          Long.rotateLeft(v0[1], 32));
    }
    return v0[0] + v1[0] + mul0[0] + mul1[0];
  }

  private void remainder(byte[] bytes, int at, int size) {
    for (int i = 0; i < 4; i++) {
      v0[i] += ((long) size << 32) + size;
      int low = Integer.rotateLeft((int) v1[i], size);
      int high = Integer.rotateLeft((int) (v1[i] >>> 32), size);
      v1[i] = ((long) high << 32) | (low & 0xFFFFFFFFL);
    }
    Arrays.fill(rest, (byte) 0);
    int whole = size & -4;
    System.arraycopy(bytes, at, rest, 0, whole);
    int left = size & 3;
    if ((size & 16) != 0) {
      System.arraycopy(bytes, at + size - 4, rest, 28, 4);
    } else if (left != 0) {
      rest[16] = bytes[at + whole];
      rest[17] = bytes[at + whole + (left >>> 1)];
      rest[18] = bytes[at + size - 1];
    }
    update(rest, 0);
  }

  private void update(byte[] bytes, int at) {
    update(
        (long) LONG.get(bytes, at),
        (long) LONG.get(bytes, at + 8),
        (long) LONG.get(bytes, at + 16),
        (long) LONG.get(bytes, at + 24));
  }

  private void update(long a, long b, long c, long d) {
    v1[0] += mul0[0] + a;
    v1[1] += mul0[1] + b;
    v1[2] += mul0[2] + c;
    v1[3] += mul0[3] + d;
    for (int i = 0; i < 4; i++) {
      mul0[i] ^= (v1[i] & 0xFFFFFFFFL) * (v0[i] >>> 32);
      v0[i] += mul1[i];
      mul1[i] ^= (v0[i] & 0xFFFFFFFFL) * (v1[i] >>> 32);
    }
    zip(v1, v0, 0);
    zip(v1, v0, 2);
    zip(v0, v1, 0);
    zip(v0, v1, 2);
  }

  /** Adds the bytes of two words, in another order, to two words. */
  private static void zip(long[] from, long[] to, int i) {
    long low = from[i];
    long high = from[i + 1];
    to[i] +=
        (((low & 0xFF000000L) | (high & 0xFF00000000L)) >>> 24)
            | (((low & 0xFF0000000000L) | (high & 0xFF000000000000L)) >>> 16)
            | (low & 0xFF0000L)
            | ((low & 0xFF00L) << 32)
            | ((high & 0xFF00000000000000L) >>> 8)
            | (low << 56);
    to[i + 1] +=
        (((high & 0xFF000000L) | (low & 0xFF00000000L)) >>> 24)
            | (high & 0xFF0000L)
            | ((high & 0xFF0000000000L) >>> 16)
            | ((high & 0xFF00L) << 24)
            | ((low & 0xFF000000000000L) >>> 8)
            | ((high & 0xFFL) << 48)
            | (low & 0xFF00000000000000L);
  }
}
