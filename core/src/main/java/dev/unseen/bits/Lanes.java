package dev.unseen.bits;

/**
 * One cache line of 512 bits as a row of fingerprints, in n lanes of w bits.
 *
 * <pre>
 *   [tag 0][tag 1]...[tag n-1][rest 0][rest 1]...[rest n-1][unused][header]
 *    8 bits each               w - 8 bits each
 * </pre>
 *
 * A fingerprint is cut in two: a tag of one byte, and the rest. Tags are compared eight at a time,
 * all at once, in the few words they take; the rest is looked at only where the tag is equal, which
 * is where the fingerprint is, or once in 256 lanes. Rests lie close together, across the borders
 * of words, so that no bit is lost for any width. The header is at the end, where it is for any
 * number of lanes.
 */
public final class Lanes {
  /** The words of a line. */
  public static final int WORDS = 8;

  /** The bits of a line. */
  public static final int BITS = WORDS * Long.SIZE;

  private static final long ONES = 0x0101010101010101L;
  private static final long LOW7 = 0x7F7F7F7F7F7F7F7FL;

  private final int count;
  private final int width;
  private final int rest; // bits
  private final int tagWords;
  private final int restBegin; // the first bit of the rests
  private final int restWord; // and its word
  private final long restMask;

  // For each number of lanes, in each word, the bits that belong to so many first lanes. An
  // insertion
  // takes the same path for all lanes with these: a loop over the words in question costs more,
  // since
  // the processor cannot guess its end.
  private final long[] tagsBelow;
  private final long[] restsBelow;

  /**
   * So many lanes, as wide as they can be.
   *
   * @param header the bits after the last lane, 0 to 64
   * @param count the lanes, 8 to 40
   */
  public Lanes(int header, int count) {
    this.count = count;
    this.width = widthOf(header, count);
    this.rest = width - Byte.SIZE;
    this.tagWords = (count + 7) / 8;
    this.restBegin = count * Byte.SIZE;
    this.restWord = restBegin / Long.SIZE;
    this.restMask = (1L << rest) - 1;
    this.tagsBelow = below(0, Byte.SIZE);
    this.restsBelow = below(restBegin, rest);
  }

  private long[] below(int begin, int bits) {
    long[] masks = new long[(count + 1) * WORDS];
    for (int lane = 0; lane <= count; lane++) {
      for (int bit = begin; bit < begin + lane * bits; bit++) {
        masks[lane * WORDS + bit / Long.SIZE] |= 1L << bit;
      }
    }
    return masks;
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
   */
  public int find(long[] words, int at, long hash) {
    long tags = (hash & 0xFF) * ONES;
    for (int i = 0; i < tagWords; i++) {
      long x = words[at + i] ^ tags;
      long equal = ~(((x & LOW7) + LOW7) | x | LOW7); // the highest bit of each equal byte
      while (equal != 0) {
        int lane = i * 8 + (Long.numberOfTrailingZeros(equal) >>> 3);
        if (lane < count && rest(words, at, lane) == ((hash >>> Byte.SIZE) & restMask)) {
          return lane;
        }
        equal &= equal - 1;
      }
    }
    return -1;
  }

  private long rest(long[] words, int at, int lane) {
    int bit = restBegin + lane * rest;
    int i = at + bit / Long.SIZE;
    int shift = bit % Long.SIZE;
    long low = words[i] >>> shift;
    return (shift + rest > Long.SIZE ? low | (words[i + 1] << -shift) : low) & restMask;
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
    int bit = restBegin + lane * rest;
    i = at + bit / Long.SIZE;
    shift = bit % Long.SIZE;
    words[i] = (words[i] & ~(restMask << shift)) | (value << shift);
    if (shift + rest > Long.SIZE) {
      words[i + 1] = (words[i + 1] & ~(restMask >>> -shift)) | (value >>> -shift);
    }
  }

  /**
   * Puts the fingerprint of a hash into lane {@code first} and moves those from there on up by one,
   * over lane {@code last}, whose fingerprint is gone. All other lanes stay as they are.
   */
  public void insert(long[] words, int at, int first, int last, long hash) {
    int from = first * WORDS;
    int to = (last + 1) * WORDS;
    for (int i = tagWords - 1; i > 0; i--) {
      long word = words[at + i];
      long moved = (word << Byte.SIZE) | (words[at + i - 1] >>> -Byte.SIZE);
      words[at + i] = word ^ ((word ^ moved) & (tagsBelow[to + i] ^ tagsBelow[from + i]));
    }
    long word0 = words[at];
    words[at] = word0 ^ ((word0 ^ (word0 << Byte.SIZE)) & (tagsBelow[to] ^ tagsBelow[from]));
    for (int i = WORDS - 1; i >= restWord; i--) {
      long word = words[at + i];
      long moved = (word << rest) | (words[at + i - 1] >>> -rest);
      words[at + i] = word ^ ((word ^ moved) & (restsBelow[to + i] ^ restsBelow[from + i]));
    }
    set(words, at, first, hash);
  }
}
