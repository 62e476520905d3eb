package dev.unseen.hash;

import dev.unseen.bits.Mix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash-2-4: a keyed hash, for which only someone who knows the key can craft collisions.
 *
 * <p>Written from the description in Aumasson and Bernstein, <i>SipHash: a fast short-input
 * PRF</i>, 2012, and equal to its published vectors. Its key has 128 bits. {@link HashKind#SIPHASH}
 * derives it from a seed of 64 bits, so guessing takes 2^63 trials on average.
 *
 * <p>Numbers are hashed as their eight bytes, lowest first, and pairs of hashes as sixteen.
 */
final class SipHash implements Hash64 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // "somepseudorandomlygeneratedbytes", as in the paper.
  private static final long INIT_0 = 0x736F6D6570736575L;
  private static final long INIT_1 = 0x646F72616E646F6DL;
  private static final long INIT_2 = 0x6C7967656E657261L;
  private static final long INIT_3 = 0x7465646279746573L;

  private final long key0;
  private final long key1;

  public SipHash(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** Creates the hash with a key that is derived from a seed. */
  public SipHash(long seed) {
    this(Mix.mix(seed + Mix.GOLDEN), Mix.mix(seed - Mix.GOLDEN));
  }

  @Override
  public long hash(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    State state = new State(key0, key1); // does not escape, so nothing is allocated once compiled
    int at = offset;
    for (int end = offset + (length & -8); at < end; at += 8) {
      state.take((long) LONG.get(bytes, at));
    }
    long last = (long) length << 56;
    for (int shift = 0; at < offset + length; at++, shift += 8) {
      last |= (bytes[at] & 0xFFL) << shift;
    }
    return state.finish(last);
  }

  @Override
  public long hash(long value) {
    State state = new State(key0, key1);
    state.take(value);
    return state.finish(8L << 56);
  }

  @Override
  public long combine(long first, long second) {
    State state = new State(key0, key1);
    state.take(first);
    state.take(second);
    return state.finish(16L << 56);
  }

  /** The four words that the rounds mix. */
  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long key0, long key1) {
      v0 = key0 ^ INIT_0;
      v1 = key1 ^ INIT_1;
      v2 = key0 ^ INIT_2;
      v3 = key1 ^ INIT_3;
    }

    void take(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long finish(long last) {
      take(last);
      v2 ^= 0xFF;
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
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
