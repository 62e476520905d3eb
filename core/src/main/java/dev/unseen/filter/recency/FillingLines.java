package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.Refresh;
import dev.unseen.state.StorageCheck;
import java.util.Arrays;

/**
 * The filling lines of RECENCY: there is room, or room can be made by narrowing the lanes.
 *
 * <pre>
 * a line:  [new keys, latest last][free][repeated keys, latest last][header]
 *
 * for each element e, in its line:
 *   if a lane holds its fingerprint: e is a DUPLICATE, and becomes the latest of the repeated,
 *     unless it is one of the latest few already, or one of the two latest of the new
 *   else e is DISTINCT:
 *     if all lanes are in use, narrow them
 *     e becomes the latest of the new; if that was the last free lane and they are at their
 *       narrowest, the line becomes a full one
 * </pre>
 *
 * <p>With {@link Refresh#NEVER} there are only new keys. With {@link Refresh#ALWAYS} all keys are
 * repeated keys, in the order in which they were last seen. A line that is always refreshed never
 * becomes a full line: when no lane is free, a new key replaces the oldest.
 */
final class FillingLines extends Lines {
  private final Lanes[] shapes;
  private final int capacity;
  private final Refresh refresh;
  private final long[] copy;

  FillingLines(Lanes[] shapes, Refresh refresh, long[] copy) {
    this.shapes = shapes;
    this.capacity = shapes[shapes.length - 1].count();
    this.refresh = refresh;
    this.copy = copy;
  }

  private static int used(long header) {
    return first(header);
  }

  private static int repeated(long header) {
    return second(header);
  }

  @Override
  int find(long[] line, int at, long header, long fingerprint) {
    Lanes lanes = shapes[level(header)];
    int repeated = repeated(header);
    long inUse = lanes.first(used(header) - repeated) | lanes.last(repeated);
    return lanes.find(line, at, fingerprint, inUse);
  }

  @Override
  boolean isNew(long[] line, int at, long header, int lane) {
    return lane < used(header) - repeated(header);
  }

  @Override
  void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    if (refresh == Refresh.ALWAYS) {
      shapes[level(header)].toBack(line, at, lane, fingerprint);
    } else if (refresh == Refresh.ADAPTIVE) {
      moveUnlessLate(line, at, header, lane, fingerprint);
    }
  }

  private void moveUnlessLate(long[] line, int at, long header, int lane, long fingerprint) {
    Lanes lanes = shapes[level(header)];
    int repeated = repeated(header);
    int news = used(header) - repeated;
    boolean stays =
        lane < news ? isBurst(news - 1 - lane) : isLate(lanes.count() - 1 - lane, repeated);
    if (!stays) {
      line[at + HEADER_WORD] += lane < news ? ONE_SECOND : 0;
      lanes.toBack(line, at, lane, fingerprint);
    }
  }

  @Override
  void add(long[] line, int at, long header, long fingerprint) {
    int used = used(header);
    int repeated = repeated(header);
    int level = level(header);
    if (used == capacity) { // with Refresh.ALWAYS
      shapes[level].toBack(line, at, 0, fingerprint);
      return;
    }
    if (used == shapes[level].count()) {
      level++;
      System.arraycopy(line, at, copy, 0, Lanes.WORDS);
      shapes[level].narrow(line, at, shapes[level - 1], copy, repeated);
    }
    if (refresh == Refresh.ALWAYS) {
      shapes[level].toBack(line, at, shapes[level].count() - 1 - used, fingerprint);
      repeated++;
    } else {
      shapes[level].set(line, at, used - repeated, fingerprint);
    }
    close(line, at, used + 1, repeated, level);
  }

  /** Writes the header of a line. If the line has become full, it is the header of a full line. */
  void close(long[] line, int at, int used, int repeated, int level) {
    if (used == capacity && refresh != Refresh.ALWAYS) {
      FullLines.open(line, at, repeated);
    } else {
      setHeader(line, at, used, repeated, level);
    }
  }

  /** Writes a line from keys, of which the latest come first. */
  void write(long[] line, int at, LineKeys keys, int level) {
    long[] news = keys.news();
    long[] repeated = keys.repeated();
    Lanes lanes = shapes[level];
    Arrays.fill(line, at, at + Lanes.WORDS, 0);
    for (int i = 0; i < news.length; i++) {
      lanes.set(line, at, news.length - 1 - i, news[i]);
    }
    for (int i = 0; i < repeated.length; i++) {
      lanes.set(line, at, lanes.count() - 1 - i, repeated[i]);
    }
    close(line, at, news.length + repeated.length, repeated.length, level);
  }

  /** Returns whether all lanes are in use, which happens only with Refresh.ALWAYS. */
  @Override
  boolean hasNoRoom(long header) {
    return used(header) == capacity;
  }

  @Override
  int lanesUsed(long header) {
    return used(header);
  }

  @Override
  void check(long[] line, int at, long header) {
    StorageCheck.requireBetween("level", level(header), 0, shapes.length - 1);
    int lanes = shapes[level(header)].count();
    boolean wouldBeFull = lanes == capacity && refresh != Refresh.ALWAYS;
    int used = used(header);
    StorageCheck.requireBetween("lanes in use", used, 0, wouldBeFull ? lanes - 1 : lanes);
    int least = refresh == Refresh.ALWAYS ? used : 0;
    int most = refresh == Refresh.NEVER ? 0 : used;
    StorageCheck.requireBetween("repeated keys", repeated(header), least, most);
  }

  @Override
  long[] newKeys(long[] line, int at, long header) {
    int last = used(header) - repeated(header) - 1;
    return shapes[level(header)].get(line, at, last, -1, last + 1);
  }

  @Override
  long[] repeatedKeys(long[] line, int at, long header) {
    Lanes lanes = shapes[level(header)];
    return lanes.get(line, at, lanes.count() - 1, -1, repeated(header));
  }
}
