package dev.unseen.hash;

import dev.unseen.bits.Mix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;

/**
 * XXH3 with 64 bits and a seed or a secret: the default hash of keys.
 *
 * <p>Written from the specification of the XXH3 algorithm family (Collet, <i>xxHash
 * specification</i>, 0.2.0); the names of the steps and constants are those of the specification.
 * It equals the reference for every length and seed, and never changes.
 *
 * <p>Inputs fall into five classes by length, each with its own path: 0 to 3, 4 to 8, 9 to 16, 17
 * to 240, and longer, where eight lanes process stripes of 64 bytes. Long inputs need a secret that
 * is derived from the seed; it is derived once, in the constructor.
 *
 * <p>With a {@link Secret} it is the same algorithm over other 192 bytes, as the specification
 * allows. It is fast, and no hash can be computed without the secret. It is not a proven
 * pseudo-random function, which {@link SipHash} is believed to be.
 *
 * <p>Numbers are not hashed as bytes but mixed: two rounds of {@link Mix#mix} with the seed between
 * them, a bijection for each seed.
 */
final class Xxh3 implements Hash64 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long PRIME32_1 = 0x9E3779B1L;
  private static final long PRIME32_2 = 0x85EBCA77L;
  private static final long PRIME32_3 = 0xC2B2AE3DL;
  private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME64_3 = 0x165667B19E3779F9L;
  private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_MX1 = 0x165667919E3779F9L;
  private static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                  + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final int SEED_WORD = SECRET.length / Long.BYTES; // after the words of the secret

  private static final int STRIPE = 64;
  private static final int LANES = 8;
  private static final int STRIPES_PER_BLOCK = 16;

  // For inputs of 129 to 240 bytes, the secret for the bytes after the first 128 starts here.
  private static final int MIDDLE_SECRET = 3;
  private static final int MIDDLE_STEPS = 7;
  private static final int MIDDLE_LAST = 136 - 17;

  private final long seed;
  private final long numberSeed;
  private final long nextNumberSeed;

  // The parts of the secret that the short paths use.
  private final long flip0;
  private final long flip1To3;
  private final long flip4To8;
  private final long flip9To16Low;
  private final long flip9To16High;

  // The seeded secret as the words that blocks of 16 bytes and stripes read, in pairs; then as the
  // middle inputs, the last stripe and the final merge read it.
  private final long[] words = new long[SECRET.length / Long.BYTES];
  private final long[] middleWords = new long[2 * MIDDLE_STEPS + 2];
  private final long[] lastStripeSecret = new long[LANES];
  private final long[] mergeSecret = new long[LANES];

  /** Creates the hash with this seed. It equals the reference. */
  public Xxh3(long seed) {
    this(SECRET, seed, Mix.mix(seed + Mix.GOLDEN), Mix.mix(seed + Mix.GOLDEN));
  }

  /** Creates the hash with words of a secret in place of the public 192 bytes and of the seeds. */
  public Xxh3(Secret key) {
    this(secretBytes(key), key.word(SEED_WORD), key.word(SEED_WORD + 1), key.word(SEED_WORD + 2));
  }

  private static byte[] secretBytes(Secret key) {
    byte[] bytes = new byte[SECRET.length];
    for (int i = 0; i < SEED_WORD; i++) {
      LONG.set(bytes, i * Long.BYTES, key.word(i));
    }
    return bytes;
  }

  private Xxh3(byte[] secret, long seed, long numberSeed, long nextNumberSeed) {
    this.seed = seed;
    this.numberSeed = numberSeed;
    this.nextNumberSeed = nextNumberSeed;
    this.flip0 = long64(secret, 56) ^ long64(secret, 64);
    this.flip1To3 = (int32(secret, 0) ^ int32(secret, 4)) & 0xFFFFFFFFL;
    this.flip4To8 = long64(secret, 8) ^ long64(secret, 16);
    this.flip9To16Low = long64(secret, 24) ^ long64(secret, 32);
    this.flip9To16High = long64(secret, 40) ^ long64(secret, 48);
    byte[] derived = new byte[secret.length];
    for (int i = 0; i < secret.length; i += 16) {
      LONG.set(derived, i, long64(secret, i) + seed);
      LONG.set(derived, i + 8, long64(secret, i + 8) - seed);
    }
    for (int i = 0; i < words.length; i++) {
      words[i] = long64(derived, i * Long.BYTES);
    }
    for (int i = 0; i <= MIDDLE_STEPS; i++) {
      int at = i < MIDDLE_STEPS ? MIDDLE_SECRET + 16 * i : MIDDLE_LAST;
      middleWords[2 * i] = long64(secret, at) + seed;
      middleWords[2 * i + 1] = long64(secret, at + 8) - seed;
    }
    for (int i = 0; i < LANES; i++) {
      lastStripeSecret[i] = long64(derived, secret.length - STRIPE - 7 + i * Long.BYTES);
      mergeSecret[i] = long64(derived, 11 + i * Long.BYTES);
    }
  }

  @Override
  public long hash(byte[] b, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, b.length);
    if (length <= 16) {
      return hash0To16(b, offset, length);
    }
    if (length <= 128) {
      return hash17To128(b, offset, length);
    }
    return length <= 240 ? hash129To240(b, offset, length) : hashLong(b, offset, length);
  }

  @Override
  public long hash(long value) {
    return Mix.mix(Mix.mix(value ^ numberSeed) + nextNumberSeed);
  }

  @Override
  public long combine(long first, long second) {
    // Not symmetric, and a bijection of `second` for each `first`.
    return Mix.mix(Mix.mix(first + numberSeed) ^ second);
  }

  private long hash0To16(byte[] b, int at, int length) {
    if (length > 8) {
      long low = long64(b, at) ^ (flip9To16Low + seed);
      long high = long64(b, at + length - 8) ^ (flip9To16High - seed);
      return avalanche(length + Long.reverseBytes(low) + high + Mix.foldedProduct(low, high));
    }
    if (length >= 4) {
      long seeded = seed ^ ((long) Integer.reverseBytes((int) seed) << 32);
      long input = (int32(b, at + length - 4) & 0xFFFFFFFFL) + ((long) int32(b, at) << 32);
      return rrmxmx(input ^ (flip4To8 - seeded), length);
    }
    if (length > 0) {
      long c1 = b[at] & 0xFF;
      long c2 = b[at + (length >> 1)] & 0xFF;
      long c3 = b[at + length - 1] & 0xFF;
      return avalanche64(((c1 << 16) | (c2 << 24) | c3 | ((long) length << 8)) ^ (flip1To3 + seed));
    }
    return avalanche64(seed ^ flip0);
  }

  private long hash17To128(byte[] b, int at, int length) {
    int end = at + length;
    long[] keys = words;
    long acc = length * PRIME64_1;
    if (length > 96) {
      acc += mix16(b, at + 48, keys, 12) + mix16(b, end - 64, keys, 14);
    }
    if (length > 64) {
      acc += mix16(b, at + 32, keys, 8) + mix16(b, end - 48, keys, 10);
    }
    if (length > 32) {
      acc += mix16(b, at + 16, keys, 4) + mix16(b, end - 32, keys, 6);
    }
    return avalanche(acc + mix16(b, at, keys, 0) + mix16(b, end - 16, keys, 2));
  }

  private long hash129To240(byte[] b, int at, int length) {
    long acc = length * PRIME64_1;
    for (int i = 0; i < 128; i += 16) {
      acc += mix16(b, at + i, words, i / Long.BYTES);
    }
    acc = avalanche(acc);
    for (int i = 128; i + 16 <= length; i += 16) {
      acc += mix16(b, at + i, middleWords, (i - 128) / Long.BYTES);
    }
    return avalanche(acc + mix16(b, at + length - 16, middleWords, 2 * MIDDLE_STEPS));
  }

  private long hashLong(byte[] b, int at, int length) {
    long a0 = PRIME32_3;
    long a1 = PRIME64_1;
    long a2 = PRIME64_2;
    long a3 = PRIME64_3;
    long a4 = PRIME64_4;
    long a5 = PRIME32_2;
    long a6 = PRIME64_5;
    long a7 = PRIME32_1;
    int stripes = (length - 1) / STRIPE; // the last stripe, full or not, is handled below
    long[] secret = words;
    for (int n = 0; n <= stripes; n++) {
      boolean last = n == stripes;
      int in = last ? at + length - STRIPE : at + n * STRIPE;
      long[] keys = last ? lastStripeSecret : secret;
      int k = last ? 0 : n % STRIPES_PER_BLOCK;
      long d0 = long64(b, in);
      long d1 = long64(b, in + 8);
      long d2 = long64(b, in + 16);
      long d3 = long64(b, in + 24);
      long d4 = long64(b, in + 32);
      long d5 = long64(b, in + 40);
      long d6 = long64(b, in + 48);
      long d7 = long64(b, in + 56);
      a0 += d1 + product32(d0 ^ keys[k]);
      a1 += d0 + product32(d1 ^ keys[k + 1]);
      a2 += d3 + product32(d2 ^ keys[k + 2]);
      a3 += d2 + product32(d3 ^ keys[k + 3]);
      a4 += d5 + product32(d4 ^ keys[k + 4]);
      a5 += d4 + product32(d5 ^ keys[k + 5]);
      a6 += d7 + product32(d6 ^ keys[k + 6]);
      a7 += d6 + product32(d7 ^ keys[k + 7]);
      if (!last && k == STRIPES_PER_BLOCK - 1) {
        a0 = scramble(a0, secret[16]);
        a1 = scramble(a1, secret[17]);
        a2 = scramble(a2, secret[18]);
        a3 = scramble(a3, secret[19]);
        a4 = scramble(a4, secret[20]);
        a5 = scramble(a5, secret[21]);
        a6 = scramble(a6, secret[22]);
        a7 = scramble(a7, secret[23]);
      }
    }
    long[] merge = mergeSecret;
    return avalanche(
        length * PRIME64_1
            + Mix.foldedProduct(a0 ^ merge[0], a1 ^ merge[1])
            + Mix.foldedProduct(a2 ^ merge[2], a3 ^ merge[3])
            + Mix.foldedProduct(a4 ^ merge[4], a5 ^ merge[5])
            + Mix.foldedProduct(a6 ^ merge[6], a7 ^ merge[7]));
  }

  private static long mix16(byte[] b, int at, long[] keys, int k) {
    return Mix.foldedProduct(long64(b, at) ^ keys[k], long64(b, at + 8) ^ keys[k + 1]);
  }

  private static long product32(long key) {
    return (key & 0xFFFFFFFFL) * (key >>> 32);
  }

  private static long scramble(long acc, long secret) {
    return (acc ^ (acc >>> 47) ^ secret) * PRIME32_1;
  }

  private static long avalanche(long h) {
    h = (h ^ (h >>> 37)) * PRIME_MX1;
    return h ^ (h >>> 32);
  }

  private static long avalanche64(long h) {
    h = (h ^ (h >>> 33)) * PRIME64_2;
    h = (h ^ (h >>> 29)) * PRIME64_3;
    return h ^ (h >>> 32);
  }

  private static long rrmxmx(long h, int length) {
    h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    h *= PRIME_MX2;
    h = (h ^ ((h >>> 35) + length)) * PRIME_MX2;
    return h ^ (h >>> 28);
  }

  private static long long64(byte[] b, int at) {
    return (long) LONG.get(b, at);
  }

  private static int int32(byte[] b, int at) {
    return (int) INT.get(b, at);
  }
}
