package dev.unseen.filter.recency;

import dev.unseen.bits.BitRank;
import dev.unseen.bits.Lanes;
import dev.unseen.state.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Merges two pages of lines with a window. The keys of both are distributed again, the latest
 * first, each into the line of its two that has fewer keys. Keys that do not fit are the oldest.
 *
 * <p>Line by line would not do: two filters that have seen the same key may have it in different
 * lines.
 */
final class WindowPage {
  /** A key: its fingerprint, one of its lines as a place in the page, and its step. */
  private record Key(long print, int place, long step) {}

  private final WindowLines line;
  private final LinePairs pairs;
  private final long page;
  private final int places;
  private final int apart;
  private final List<Key> keys = new ArrayList<>();
  private int level;

  /** Starts a merge. Two times of a key that are not this far apart become one. */
  WindowPage(WindowLines line, LinePairs pairs, long page, int places, int apart) {
    this.line = line;
    this.pairs = pairs;
    this.page = page;
    this.places = places;
    this.apart = apart;
  }

  /** Collects the keys of a page, whose ages are counted from this group, some steps later. */
  void collect(Words words, long group, long later) {
    for (int place = 0; place < places; place++) {
      long first = (page + place) * Lanes.WORDS;
      long[] in = words.chunk(first);
      int at = Words.inChunk(first);
      long header = line.at(group, line.header(in, at));
      int used = line.used(header);
      level = Math.max(level, line.level(header));
      for (int lane = 0; lane < used; lane++) {
        long step = line.step(in, at, header, lane, group) + later;
        keys.add(new Key(line.print(in, at, header, lane), place, step));
      }
    }
  }

  /** Returns the level of the narrowest line. */
  int level() {
    return level;
  }

  /** Writes the keys of both pages, as they are in this group, with these bits of fingerprints. */
  void write(Words words, int width, long group) {
    keys.sort(Comparator.comparingLong(Key::step).reversed()); // stable, so the result is certain
    List<List<Key>> inLine =
        Stream.generate(() -> (List<Key>) new ArrayList<Key>()).limit(places).toList();
    for (Key key : keys) {
      Key cut = new Key(key.print & BitRank.below(width), key.place, key.step);
      int partner = (int) (pairs.partner(page + key.place, cut.print) - page);
      List<Key> one = inLine.get(key.place);
      List<Key> two = inLine.get(partner);
      List<Key> fewer = two.size() < one.size() ? two : one;
      if (fewer.size() < line.capacity() && !isIn(one, cut) && !isIn(two, cut)) {
        fewer.add(cut);
      }
    }
    for (int place = 0; place < places; place++) {
      long first = (page + place) * Lanes.WORDS;
      List<Key> all = inLine.get(place);
      line.write(
          words.chunk(first),
          Words.inChunk(first),
          all.stream().mapToLong(Key::print).toArray(),
          all.stream().mapToLong(Key::step).toArray(),
          all.size(),
          level,
          group);
    }
  }

  /** Returns whether a line has this key at a time that is not far enough from this one. */
  private boolean isIn(List<Key> keys, Key key) {
    return keys.stream()
        .anyMatch(other -> other.print == key.print && other.step - key.step < apart);
  }
}
