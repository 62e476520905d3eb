package dev.unseen.server.monitor;

import dev.unseen.Report;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.store.Traffic;
import java.util.List;

/**
 * A snapshot of the state of the server, for pages and metrics.
 *
 * @param millis the time, in milliseconds since 1970
 * @param filters all filters, those for keys of SET last
 * @param usedMemory the bytes that all filters use
 * @param maxMemory the bytes that all filters may use
 * @param clients the number of connections
 * @param requests the number of requests so far
 * @param lastSaveMillis the time of the last save, in milliseconds since 1970; 0 without
 *     persistence
 * @param lastSaveNanos how long the last save took
 * @param failure why the journal or a save fails at present; empty if neither does
 * @param slow the last slow commands, the latest first
 */
public record ServerView(
    long millis,
    List<FilterView> filters,
    long usedMemory,
    long maxMemory,
    int clients,
    long requests,
    long lastSaveMillis,
    long lastSaveNanos,
    String failure,
    List<SlowLog.Slow> slow) {
  /** Copies the lists. */
  public ServerView {
    filters = List.copyOf(filters);
    slow = List.copyOf(slow);
  }

  /**
   * A filter.
   *
   * @param name the printable name
   * @param report its counts, load and errors
   * @param forgottenEarly the items that were evicted early
   * @param last its traffic in the last second
   */
  public record FilterView(String name, Report report, long forgottenEarly, Traffic.Second last) {}
}
