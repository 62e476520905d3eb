package dev.unseen.server.monitor;

import dev.unseen.Report;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.Traffic;
import java.util.List;

/**
 * What the live page shows of a filter.
 *
 * @param name the printable name
 * @param evictedEarly the items that were evicted to make room, with a window only before it ended
 * @param keysThatFit the number of items that fit; 0 if that is not known
 * @param last what it has answered in the last second
 * @param newPerSecond the new items per second, over the last minutes
 */
record FilterView(
    String name,
    Report report,
    long evictedEarly,
    FilterDefinition definition,
    long keysThatFit,
    Traffic.Second last,
    double newPerSecond) {
  static List<FilterView> all(Keyspace keyspace, Traffic traffic) {
    return keyspace.all().stream().map(filter -> of(filter, traffic)).toList();
  }

  private static FilterView of(ServedFilter filter, Traffic traffic) {
    Report report = filter.report();
    return new FilterView(
        filter.shownName(),
        report,
        filter.evictedEarly(),
        filter.definition(),
        filter.definition().keysThatFit(report),
        traffic.lastOf(filter),
        traffic.newPerSecond(filter));
  }
}
