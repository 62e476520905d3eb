package dev.unseen.bits;

/**
 * Stores a row of fingerprints in one cache line of 512 bits, in n lanes of w bits.
 *
 * <pre>
 *   [tag 0][tag 1]...[tag n-1]  unused  [rest n-1]...[rest 1][rest 0][header]
 *    8 bits each                         w - 8 bits each
 * </pre>
 *
 * <p>A fingerprint is split in two: a tag of one byte, and the rest. Tags are compared eight at a
 * time. The rest is compared only where the tag is equal, which is where the fingerprint is, or
 * once in 256 lanes by chance. Rests are packed without gaps, across the borders of words, so that
 * no bit is wasted for any width. Tags and rests begin at opposite ends of the line for any number
 * of lanes, so the place of the first lane is always known.
 */
public final class Lanes {
  public static final int WORDS = 8;

  public static final int BITS = WORDS * Long.SIZE;

  /** The largest number of lanes, whose tags are in words 0 to 4: see {@link #insert}. */
  public static final int MOST = 40;

  private static final long ONES = 0x0101010101010101L;
  private static final long LOW7 = 0x7F7F7F7F7F7F7F7FL;
  private static final long HIGH = ~LOW7;

  private static final int RESTS =
      WORDS; // where the masks of the rests begin, after those of the tags
  private static final int MASKS = 2 * WORDS;

  private final int count;
  private final int width;
  private final int rest; // bits
  private final int end; // the first bit of the header, after the last rest
  private final long restMask;
  private final int comparedBits;
  private final long comparedMask; // the bits of a rest that are compared

  // For each lane and each word: the bits of the tags, then of the rests, of the lanes before it;
  // and of the lanes from it on.
  private final long[] before;
  private final long[] from;
  private final long[] sets; // for each number n, the set of the first n lanes

  public Lanes(int header, int count) {
    this(header, count, 0);
  }

  /**
   * Creates this number of lanes, as wide as possible, whose highest bits are a note that {@link
   * #find} does not compare.
   */
  public Lanes(int header, int count, int noteBits) {
    this.count = count;
    this.width = widthOf(header, count);
    this.rest = width - Byte.SIZE;
    this.end = BITS - header;
    this.restMask = (1L << rest) - 1;
    this.comparedBits = width - noteBits;
    this.comparedMask = (1L << (comparedBits - Byte.SIZE)) - 1;
    this.before = new long[(count + 1) * MASKS];
    this.from = new long[(count + 1) * MASKS];
    this.sets = new long[count + 1];
    for (int lane = 0; lane <= count; lane++) {
      for (int i = 0; i < count; i++) {
        long[] masks = i < lane ? before : from;
        setBits(masks, lane * MASKS, i * Byte.SIZE, Byte.SIZE);
        setBits(masks, lane * MASKS + RESTS, restAt(i), rest);
      }
      if (lane < count) {
        sets[lane + 1] = sets[lane] | bitOf(lane);
      }
    }
  }

  private static void setBits(long[] words, int at, int first, int bits) {
    for (int bit = first; bit < first + bits; bit++) {
      words[at + bit / Long.SIZE] |= 1L << bit;
    }
  }

  private int restAt(int lane) {
    return end - (lane + 1) * rest;
  }

  public static int widthOf(int header, int count) {
    return (BITS - header) / count;
  }

  public int count() {
    return count;
  }

  /** Returns the number of bits of the fingerprint in a lane. */
  public int width() {
    return comparedBits;
  }

  public long note(long[] words, int at, int lane) {
    return rest(words, at, lane) >>> (comparedBits - Byte.SIZE);
  }

  /** Returns what {@link #set} and {@link #insert} write for a hash and a note. */
  public long with(long hash, long note) {
    return (hash & ((1L << comparedBits) - 1)) | (note << comparedBits);
  }

  /** Returns the set of the first lanes of this number, for {@link #find}. */
  public long first(int lanes) {
    return sets[lanes];
  }

  /** Returns the set of the last lanes of this number. */
  public long last(int lanes) {
    return sets[count] ^ sets[count - lanes];
  }

  /**
   * Returns a lane of this set that contains the low bits of a hash, or -1. If there are several,
   * {@link #without} removes one of them from the set.
   */
  public int find(long[] words, int at, long hash, long lanes) {
    long tags = (hash & 0xFF) * ONES;
    // Bit 8 i + j stands for byte i of word j, which is cheaper to compute than lanes in order.
    long different =
        (different(words[at], tags) >>> 7)
            | (different(words[at + 1], tags) >>> 6)
            | (different(words[at + 2], tags) >>> 5)
            | (different(words[at + 3], tags) >>> 4)
            | (count > 32 ? different(words[at + 4], tags) >>> 3 : 0);
    for (long equal = lanes & ~different; equal != 0; equal &= equal - 1) {
      int bit = Long.numberOfTrailingZeros(equal);
      int lane = ((bit & 7) << 3) | (bit >>> 3);
      if (((rest(words, at, lane) ^ (hash >>> Byte.SIZE)) & comparedMask) == 0) {
        return lane;
      }
    }
    return -1;
  }

  public static long without(long lanes, int lane) {
    return lanes & ~bitOf(lane);
  }

  private static long bitOf(int lane) {
    return 1L << ((lane & 7) << 3 | lane >>> 3); // see find
  }

  /** Returns the highest bit of each byte in which two words differ. */
  private static long different(long word, long tags) {
    long x = word ^ tags;
    return (((x & LOW7) + LOW7) | x) & HIGH;
  }

  /**
   * Returns the rest in a lane, without a branch for one that lies in one word. Shifts replace
   * divisions, because Java rounds negative quotients toward zero.
   */
  private long rest(long[] words, int at, int lane) {
    int bit = restAt(lane);
    long low = words[at + (bit >>> 6)] >>> bit;
    long high = words[at + ((bit + rest - 1) >>> 6)] << 1 << ~bit;
    return (low | high) & restMask;
  }

  /** Returns the fingerprint in a lane, with the note above it. */
  public long get(long[] words, int at, int lane) {
    long tag = (words[at + (lane >>> 3)] >>> (lane << 3)) & 0xFF;
    return tag | (rest(words, at, lane) << Byte.SIZE);
  }

  /** Returns the fingerprints in neighboring lanes, upwards (1) or downwards (-1). */
  public long[] get(long[] words, int at, int first, int direction, int size) {
    long[] fingerprints = new long[size];
    for (int i = 0; i < size; i++) {
      fingerprints[i] = get(words, at, first + i * direction);
    }
    return fingerprints;
  }

  public void set(long[] words, int at, int lane, long hash) {
    int shift = lane << 3; // counts modulo 64
    int i = at + (lane >>> 3);
    words[i] = (words[i] & ~(0xFFL << shift)) | ((hash & 0xFF) << shift);
    long value = (hash >>> Byte.SIZE) & restMask;
    int bit = restAt(lane);
    i = at + (bit >>> 6);
    words[i] = (words[i] & ~(restMask << bit)) | (value << bit);
    i = at + ((bit + rest - 1) >>> 6);
    words[i] = (words[i] & ~(restMask >>> 1 >>> ~bit)) | (value >>> 1 >>> ~bit);
  }

  /**
   * Rewrites a line whose wide lanes are all in use, given a copy of it, as a line with these
   * narrower lanes. The last ones stay at the end, after the free ones.
   */
  public void narrow(long[] words, int at, Lanes wide, long[] copy, int last) {
    for (int i = 0; i < wide.count; i++) {
      int lane = i < wide.count - last ? i : i + count - wide.count;
      set(words, at, lane, with(wide.get(copy, 0, i), wide.note(copy, 0, i)));
    }
  }

  /**
   * Puts a fingerprint into a lane and moves those from there on up by one, to lane {@code last},
   * whose own is lost. Masks select what moves: the processor could not predict the ends of loops
   * over the affected words.
   */
  public void insert(long[] words, int at, int lane, int last, long hash) {
    int r = rest;
    int m = (last + 1) * MASKS;
    int n = (lane + 1) * MASKS;
    long[] z = before;
    long a = words[at];
    long b = words[at + 1];
    long c = words[at + 2];
    long d = words[at + 3];
    long e = words[at + 4];
    long f = words[at + 5];
    long g = words[at + 6];
    long h = words[at + 7];
    words[at] = move(a, a << 8, z[m] ^ z[n]);
    words[at + 1] =
        both(b, b << 8 | a >>> 56, z[m + 1] ^ z[n + 1], b >>> r | c << -r, z[m + 9] ^ z[n + 9]);
    words[at + 2] =
        both(c, c << 8 | b >>> 56, z[m + 2] ^ z[n + 2], c >>> r | d << -r, z[m + 10] ^ z[n + 10]);
    words[at + 3] =
        both(d, d << 8 | c >>> 56, z[m + 3] ^ z[n + 3], d >>> r | e << -r, z[m + 11] ^ z[n + 11]);
    words[at + 4] =
        both(e, e << 8 | d >>> 56, z[m + 4] ^ z[n + 4], e >>> r | f << -r, z[m + 12] ^ z[n + 12]);
    words[at + 5] = move(f, f >>> r | g << -r, z[m + 13] ^ z[n + 13]);
    words[at + 6] = move(g, g >>> r | h << -r, z[m + 14] ^ z[n + 14]);
    words[at + 7] = move(h, h >>> r, z[m + 15] ^ z[n + 15]);
    set(words, at, lane, hash);
  }

  /**
   * Puts a fingerprint into the last lane and moves those before it down, to {@code lane}, whose
   * own is lost.
   */
  public void toBack(long[] words, int at, int lane, long hash) {
    int r = rest;
    int m = lane * MASKS;
    long[] moves = from;
    long a = words[at];
    long b = words[at + 1];
    long c = words[at + 2];
    long d = words[at + 3];
    long e = words[at + 4];
    long f = words[at + 5];
    long g = words[at + 6];
    long h = words[at + 7];
    words[at] = move(a, a >>> 8 | b << 56, moves[m]);
    words[at + 1] = both(b, b >>> 8 | c << 56, moves[m + 1], b << r | a >>> -r, moves[m + 9]);
    words[at + 2] = both(c, c >>> 8 | d << 56, moves[m + 2], c << r | b >>> -r, moves[m + 10]);
    words[at + 3] = both(d, d >>> 8 | e << 56, moves[m + 3], d << r | c >>> -r, moves[m + 11]);
    words[at + 4] = both(e, e >>> 8, moves[m + 4], e << r | d >>> -r, moves[m + 12]);
    words[at + 5] = move(f, f << r | e >>> -r, moves[m + 13]);
    words[at + 6] = move(g, g << r | f >>> -r, moves[m + 14]);
    words[at + 7] = move(h, h << r | g >>> -r, moves[m + 15]);
    set(words, at, count - 1, hash);
  }

  /** Returns a word with the tags and the rests that move. */
  private static long both(long word, long tags, long moveTags, long rests, long moveRests) {
    return word ^ ((word ^ tags) & moveTags) ^ ((word ^ rests) & moveRests);
  }

  /** Returns a word in which the bits of a mask are replaced by those of another word. */
  private static long move(long word, long moved, long mask) {
    return word ^ ((word ^ moved) & mask);
  }
}
