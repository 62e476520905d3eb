package dev.unseen.filter.recency;

import dev.unseen.bits.BitRank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Merges two pages of RECENCY. The keys of both are distributed again, repeated keys before new
 * ones, and the latest first, each into the line of its two that has fewer keys. Keys that do not
 * fit are forgotten. A key that is new in both pages was seen twice, so it becomes a repeated key.
 *
 * <p>Line by line would not do: two filters that have seen the same key may have it in different
 * lines.
 */
final class RecencyPage {
  /** A key of a page: its fingerprint, and the first of its two lines as a place in the page. */
  private record Key(long print, int place) {}

  /** What both pages say about a key. */
  private static final class Sight {
    private final Key key;
    private final int other; // the other place of the key
    private int rank; // the number of later keys in its line
    private boolean repeated;

    private Sight(Key key, int other, int rank) {
      this.key = key;
      this.other = other;
      this.rank = rank;
    }
  }

  private final LinePairs pairs;
  private final long page;
  private final long mask; // the bits of a fingerprint that all lines have
  private final boolean refreshes;
  private final Map<Key, Sight> sights = new LinkedHashMap<>();
  private final List<List<Long>> news;
  private final List<List<Long>> repeated;

  /** Starts a merge, in which a key that was seen twice may become a repeated key. */
  RecencyPage(LinePairs pairs, long page, int width, boolean refreshes) {
    this.pairs = pairs;
    this.page = page;
    this.mask = BitRank.below(width);
    this.refreshes = refreshes;
    this.news = lists(pairs.linesOf(page));
    this.repeated = lists(pairs.linesOf(page));
  }

  private static List<List<Long>> lists(int count) {
    return IntStream.range(0, count).mapToObj(i -> (List<Long>) new ArrayList<Long>()).toList();
  }

  void collect(int place, LineKeys keys) {
    for (int rank = 0; rank < keys.repeated().length; rank++) {
      collect(place, keys.repeated()[rank], rank, true);
    }
    for (int rank = 0; rank < keys.news().length; rank++) {
      collect(place, keys.news()[rank], rank, false);
    }
  }

  private void collect(int place, long print, int rank, boolean isRepeated) {
    int partner = (int) (pairs.partner(page + place, print) - page);
    Key key = new Key(print & mask, Math.min(place, partner));
    Sight sight = sights.get(key);
    if (sight == null) {
      sight = new Sight(key, Math.max(place, partner), rank);
      sight.repeated = isRepeated;
      sights.put(key, sight);
    } else {
      sight.rank = Math.min(sight.rank, rank);
      sight.repeated |= isRepeated || refreshes;
    }
  }

  /**
   * Distributes the keys to the lines, with this room, and with repeated keys first up to a limit.
   */
  void distribute(int room, int mostRepeated) {
    List<Sight> all = new ArrayList<>(sights.values());
    all.sort(Comparator.comparingInt(sight -> sight.rank)); // stable, so the result is certain
    List<Sight> left = new ArrayList<>();
    all.stream()
        .filter(sight -> sight.repeated && !place(sight, repeated, mostRepeated))
        .forEach(left::add);
    all.stream().filter(sight -> !sight.repeated).forEach(sight -> place(sight, news, room));
    left.forEach(sight -> place(sight, repeated, room));
  }

  /** Puts a key into the line that has fewer keys. Returns whether there was room. */
  private boolean place(Sight sight, List<List<Long>> into, int room) {
    int place = size(sight.other) < size(sight.key.place()) ? sight.other : sight.key.place();
    return size(place) < room && into.get(place).add(sight.key.print());
  }

  private int size(int place) {
    return news.get(place).size() + repeated.get(place).size();
  }

  LineKeys keys(int place) {
    return new LineKeys(array(news.get(place)), array(repeated.get(place)));
  }

  private static long[] array(List<Long> keys) {
    return keys.stream().mapToLong(Long::longValue).toArray();
  }
}
