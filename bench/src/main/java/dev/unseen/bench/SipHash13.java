package dev.unseen.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash with one round per word and three at the end, as in the hash tables of Rust, Ruby and
 * Python. It is a contestant and not part of the product.
 */
final class SipHash13 implements KeyedHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long key0;
  private final long key1;

  SipHash13(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  @Override
  public long hash(byte[] bytes, int offset, int length) {
    State state = new State(key0, key1);
    int end = offset + (length & -8);
    for (int at = offset; at < end; at += 8) {
      state.take((long) LONG.get(bytes, at));
    }
    long last = (long) length << 56;
    for (int at = end, shift = 0; at < offset + length; at++, shift += 8) {
      last |= (bytes[at] & 0xFFL) << shift;
    }
    state.take(last);
    state.v2 ^= 0xFF;
    state.round();
    state.round();
    state.round();
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
  }

  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long key0, long key1) {
      v0 = key0 ^ 0x736F6D6570736575L;
      v1 = key1 ^ 0x646F72616E646F6DL;
      v2 = key0 ^ 0x6C7967656E657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    void take(long word) {
      v3 ^= word;
      round();
      v0 ^= word;
    }

    void round() {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
