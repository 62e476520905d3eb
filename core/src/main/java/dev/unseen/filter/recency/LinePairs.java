package dev.unseen.filter.recency;

/**
 * Pairs the lines of a filter: each key has two lines, and is stored in one of them. The lines are
 * in the same page of 64, which is 4 KiB.
 *
 * <pre>
 *   the first line of a key follows from its hash; the second one from the first and the low bits of
 *   the fingerprint, so that the two are known from either line and a stored fingerprint:
 *
 *   place 1 + place 2 = 2 floor(f s / 2^13) + 1  (modulo s), with s places in the page and f the low
 *   12 bits of the fingerprint
 * </pre>
 *
 * <p>The sum is odd and s is even, so the two places differ. The last page has up to 127 lines; if
 * their number is odd, the last line is not used. A single line is its own partner.
 *
 * <p>Two choices even out the lines (Azar et al., <i>Balanced allocations</i>, SIAM J. Comput.
 * 1999): with one line per key the fullest lines evict keys while half of the memory is free.
 */
final class LinePairs {
  /** The number of lines of a page. The last page has up to 127. */
  static final int PAGE = 64;

  /** The low bits of a fingerprint that choose the second line, and that every lane stores. */
  static final int BITS = 12;

  private final long lines;
  private final long lastPage; // its first line

  /** Creates the pairs of this number of lines, of which at most the last is not used. */
  LinePairs(long all) {
    this.lines = all == 1 ? 1 : all & -2;
    this.lastPage = Math.max(0, (lines / PAGE - 1) * PAGE);
  }

  long lines() {
    return lines;
  }

  /** Returns the first line of the page of a line. */
  long pageOf(long line) {
    return Math.min(line & -PAGE, lastPage);
  }

  /** Returns the number of lines of the page that begins with this line. */
  int linesOf(long page) {
    return page == lastPage ? (int) (lines - page) : PAGE;
  }

  /** Returns the other line of a key that has this fingerprint and this line. */
  long partner(long line, long fingerprint) {
    if (line < lastPage) { // nearly always: the same as below for 64 lines
      long sum = ((fingerprint >>> (BITS - 6)) & (PAGE - 2)) + 1;
      return (line & -PAGE) | ((sum - line) & (PAGE - 1));
    }
    long page = pageOf(line);
    int places = linesOf(page);
    long odd = 2 * (((fingerprint & ((1 << BITS) - 1)) * (places >> 1)) >>> BITS) + 1;
    long place = odd - (line - page);
    return places == 1 ? line : page + (place < 0 ? place + places : place);
  }
}
