package dev.unseen.bits;

/**
 * One cache line of 512 bits as a row of fingerprints, in n lanes of w bits.
 *
 * <pre>
 *   [tag 0][tag 1]...[tag n-1]  unused  [rest n-1]...[rest 1][rest 0][header]
 *    8 bits each                         w - 8 bits each
 * </pre>
 *
 * A fingerprint is cut in two: a tag of one byte, and the rest. Tags are compared eight at a time,
 * all at once, in the few words they take; the rest is looked at only where the tag is equal, which
 * is where the fingerprint is, or once in 256 lanes. Rests lie close together, across the borders
 * of words, so that no bit is lost for any width. Both begin at an end of the line, where they are
 * for any number of lanes, so that one comes in at the front without a search for its place.
 */
public final class Lanes {
  /** The words of a line. */
  public static final int WORDS = 8;

  /** The bits of a line. */
  public static final int BITS = WORDS * Long.SIZE;

  /** The most lanes: their tags are in the words 0 to 4, which {@link #toFront} relies on. */
  public static final int MOST = 40;

  private static final long ONES = 0x0101010101010101L;
  private static final long LOW7 = 0x7F7F7F7F7F7F7F7FL;
  private static final long GATHER = 0x0102040810204080L;

  private static final int RESTS = WORDS; // where the masks of the rests begin, after the tags'
  private static final int MASKS = 2 * WORDS;

  private final int count;
  private final int width;
  private final int rest; // bits
  private final int end; // the first bit of the header, after the last of the rests
  private final long restMask;
  private final int near; // so many lanes have their tags in words 0 and 1, their rests in 5 to 7
  private final long lastWord; // the bits of the last word that are not header

  // For each lane, in each word, the bits of the tags, then of the rests, of the lanes before it;
  // and of those from it on.
  private final long[] before;
  private final long[] from;

  /**
   * So many lanes, as wide as they can be.
   *
   * @param header the bits after the last lane, 16 or 64
   * @param count the lanes, 10 to 40
   */
  public Lanes(int header, int count) {
    this.count = count;
    this.width = widthOf(header, count);
    this.rest = width - Byte.SIZE;
    this.end = BITS - header;
    this.restMask = (1L << rest) - 1;
    this.near = Math.min(16, (end - 5 * Long.SIZE) / rest);
    this.lastWord = header == Long.SIZE ? 0 : -1L >>> header;
    this.before = new long[(count + 1) * MASKS];
    this.from = new long[(count + 1) * MASKS];
    for (int lane = 0; lane <= count; lane++) {
      for (int i = 0; i < count; i++) {
        long[] masks = i < lane ? before : from;
        setBits(masks, lane * MASKS, i * Byte.SIZE, Byte.SIZE);
        setBits(masks, lane * MASKS + RESTS, restAt(i), rest);
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

  /** The bits that each of so many lanes can have. */
  public static int widthOf(int header, int count) {
    return (BITS - header) / count;
  }

  /** How many lanes there are. */
  public int count() {
    return count;
  }

  /** The bits of a lane. */
  public int width() {
    return width;
  }

  /**
   * The first lane that holds the fingerprint of a hash, its low bits; or -1.
   *
   * @param words where the line is
   * @param at its first word
   * @param lanes a bit for each lane that is to be looked at
   */
  public int find(long[] words, int at, long hash, long lanes) {
    long tags = (hash & 0xFF) * ONES;
    long a = different(words[at], tags);
    long b = different(words[at + 1], tags);
    long c = different(words[at + 2], tags);
    long d = different(words[at + 3], tags);
    long e = count > 32 ? different(words[at + 4], tags) : -1L;
    if ((a & b & c & d & e) == -1L) {
      return -1; // most new keys end here
    }
    long equal = bits(a) | bits(b) << 8 | bits(c) << 16 | bits(d) << 24 | bits(e) << 32;
    for (equal &= lanes; equal != 0; equal &= equal - 1) {
      int lane = Long.numberOfTrailingZeros(equal);
      if (rest(words, at, lane) == ((hash >>> Byte.SIZE) & restMask)) {
        return lane;
      }
    }
    return -1;
  }

  /** All ones, but for the highest bit of each byte of a word that is equal to that of another. */
  private static long different(long word, long tags) {
    long x = word ^ tags;
    return ((x & LOW7) + LOW7) | x | LOW7;
  }

  /** A bit for each byte whose highest bit is clear. */
  private static long bits(long different) {
    return ((~different >>> 7) * GATHER) >>> 56;
  }

  /** If it lies in one word, that is read twice, and what that adds is beyond the mask. */
  private long rest(long[] words, int at, int lane) {
    int bit = restAt(lane);
    long low = words[at + bit / Long.SIZE] >>> bit;
    long high = words[at + (bit + rest - 1) / Long.SIZE] << 1 << ~bit;
    return (low | high) & restMask;
  }

  /** The fingerprint in a lane. */
  public long get(long[] words, int at, int lane) {
    long tag = (words[at + lane / 8] >>> (lane % 8 * Byte.SIZE)) & 0xFF;
    return tag | (rest(words, at, lane) << Byte.SIZE);
  }

  /** Writes the fingerprint of a hash into a lane. */
  public void set(long[] words, int at, int lane, long hash) {
    int shift = lane * Byte.SIZE; // counts modulo 64
    int i = at + lane / 8;
    words[i] = (words[i] & ~(0xFFL << shift)) | ((hash & 0xFF) << shift);
    long value = (hash >>> Byte.SIZE) & restMask;
    int bit = restAt(lane);
    i = at + bit / Long.SIZE;
    words[i] = (words[i] & ~(restMask << bit)) | (value << bit);
    i = at + (bit + rest - 1) / Long.SIZE;
    words[i] = (words[i] & ~(restMask >>> 1 >>> ~bit)) | (value >>> 1 >>> ~bit);
  }

  /**
   * Puts the fingerprint of a hash into lane 0 and moves those from there on up by one, over lane
   * {@code last}, whose fingerprint is gone. All other lanes stay as they are.
   *
   * <p>All words take the same way, whatever the lane: masks tell what moves. Loops over the words
   * in question cost more, since the processor cannot guess their ends. But that only the words at
   * the two ends are in question is easy to guess.
   */
  public void toFront(long[] words, int at, int last, long hash) {
    long value = (hash >>> Byte.SIZE) & restMask;
    int r = rest;
    int m = (last + 1) * MASKS;
    long[] moves = before;
    long a = words[at];
    long b = words[at + 1];
    long f = words[at + 5];
    long g = words[at + 6];
    long h = words[at + 7];
    long above = lastWord == 0 ? value : h;
    long newB = move(b, b << 8 | a >>> 56, moves[m + 1]);
    long newF = move(f, f >>> r | g << -r, moves[m + 13]);
    if (last >= near) {
      long c = words[at + 2];
      long d = words[at + 3];
      long e = words[at + 4];
      long newC = move(c, c << 8 | b >>> 56, moves[m + 2]);
      long newE = move(e, e >>> r | f << -r, moves[m + 12]);
      if (count < 24) { // rests in words that else have tags only
        newB ^= (b ^ (b >>> r | c << -r)) & moves[m + 9];
        newC ^= (c ^ (c >>> r | d << -r)) & moves[m + 10];
      } else if (count > 32) { // and the other way round
        newE ^= (e ^ (e << 8 | d >>> 56)) & moves[m + 4];
      }
      words[at + 2] = newC;
      words[at + 3] =
          move(d, d << 8 | c >>> 56, moves[m + 3]) ^ ((d ^ (d >>> r | e << -r)) & moves[m + 11]);
      words[at + 4] = newE;
    }
    words[at] = move(a, a << 8 | (hash & 0xFF), moves[m]);
    words[at + 1] = newB;
    words[at + 5] = newF;
    words[at + 6] = move(g, g >>> r | above << -r, moves[m + 14]);
    words[at + 7] = move(h, (h & lastWord) >>> r | value << (end - r), moves[m + 15]);
  }

  /**
   * Puts the fingerprint of a hash into the last lane and moves those before it down by one, over
   * {@code lane}, whose fingerprint is gone. All lanes before that stay as they are.
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

  /** A word with the tags and the rests that are to move. */
  private static long both(long word, long tags, long moveTags, long rests, long moveRests) {
    return word ^ ((word ^ tags) & moveTags) ^ ((word ^ rests) & moveRests);
  }

  /** A word with those bits of another that a mask tells. */
  private static long move(long word, long moved, long mask) {
    return word ^ ((word ^ moved) & mask);
  }
}
