package dev.unseen.server.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last slow commands. */
public final class SlowLog {
  private static final long SLOW_NANOS = 10_000_000;
  private static final int MAX_ENTRIES = 128;
  private static final int MAX_SHOWN = 128; // characters of a command: a name may be megabytes

  /**
   * A slow command.
   *
   * @param id its number
   * @param millis when it was done, in milliseconds since 1970
   * @param micros how long it took, in microseconds
   * @param command its name and its first argument
   */
  public record Slow(long id, long millis, long micros, String command) {}

  private final Deque<Slow> entries = new ArrayDeque<>();
  private long nextId;

  static boolean isSlow(long nanos) {
    return nanos >= SLOW_NANOS;
  }

  synchronized void add(long nanos, String command) {
    if (entries.size() == MAX_ENTRIES) {
      entries.removeLast();
    }
    String shown = command.length() > MAX_SHOWN ? command.substring(0, MAX_SHOWN) : command;
    entries.addFirst(new Slow(nextId++, System.currentTimeMillis(), nanos / 1000, shown));
  }

  /** Returns the entries, the latest first. */
  public synchronized List<Slow> entries() {
    return List.copyOf(entries);
  }

  synchronized void clear() {
    entries.clear();
  }
}
