package dev.unseen.server.monitor;

import dev.unseen.Report;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.StoreLimits;
import dev.unseen.server.store.Traffic;
import java.util.List;

/**
 * A snapshot of the state of the server, for pages and metrics.
 *
 * @param millis the time, in milliseconds since 1970
 * @param filters all filters, those for keys of SET last
 * @param usedMemory the bytes that all filters use
 * @param maxMemory the bytes that all filters may use
 * @param bufferBytes the bytes that all connections hold
 * @param maxBufferBytes the bytes that all connections may hold
 * @param clients the number of connections
 * @param requests the number of requests so far
 * @param connections the number of connections so far
 * @param rejectedClients how many connections were rejected, or closed because of a limit
 * @param authFailures the number of wrong passwords
 * @param lastSaveMillis the time of the last save, in milliseconds since 1970; 0 without
 *     persistence
 * @param lastSaveNanos how long the last save took
 * @param failure why nothing can be saved or recorded at present; empty if it can
 * @param clockJumps how often the clock of the machine was set
 * @param deletedKeys the keys of SET that are deleted and have not expired
 * @param limits how much the server holds
 * @param journalBytes the size of the current segment of the journal; 0 without persistence
 * @param residentBytes the memory of the process; 0 if it is not known
 * @param slow the last commands that took long, the latest first
 */
public record ServerView(
    long millis,
    List<FilterView> filters,
    long usedMemory,
    long maxMemory,
    long bufferBytes,
    long maxBufferBytes,
    int clients,
    long requests,
    long connections,
    long rejectedClients,
    long authFailures,
    long lastSaveMillis,
    long lastSaveNanos,
    String failure,
    long clockJumps,
    int deletedKeys,
    StoreLimits limits,
    long journalBytes,
    long residentBytes,
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
   * @param evictedEarly the items that were evicted to make room, with a window only before it
   *     ended
   * @param definition how it was created
   * @param keysThatFit the number of items that fit; 0 if that is not known
   * @param last what it has answered in the last second
   * @param newPerSecond the new items per second, over the last minutes
   */
  public record FilterView(
      String name,
      Report report,
      long evictedEarly,
      FilterDefinition definition,
      long keysThatFit,
      Traffic.Second last,
      double newPerSecond) {}
}
