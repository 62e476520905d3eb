package dev.unseen.bench;

import dev.unseen.text.Print;
import java.util.List;
import java.util.Locale;

/** Prints the growth as a Markdown table and as CSV. */
final class GrowthTable {
  private GrowthTable() {}

  /** Returns the head of a table. */
  static String head(String what, String scenario) {
    return String.format(
        Locale.ROOT,
        """

        RECENCY in batches, %s

        | %13s | ns a record | limit, ns | vs limit | load |
        |--------------:|------------:|----------:|---------:|-----:|
        """,
        scenario,
        what);
  }

  static String row(Growth.Point point) {
    if (point.why() != null) {
      return String.format(Locale.ROOT, "| %13s | %s |%n", grows(point), point.why());
    }
    return String.format(
        Locale.ROOT,
        "| %13s | %11.1f | %9.1f | %8.2f | %4.2f |%n",
        grows(point),
        point.nanos(),
        point.limitNanos(),
        point.ratio(),
        point.load());
  }

  private static String grows(Growth.Point point) {
    return point.records() == 0
        ? Print.bytes(point.memoryBytes())
        : String.format(Locale.ROOT, "%,d", point.records());
  }

  /** Returns both tables as one CSV. {@code records} is 0 if the filter was filled first. */
  static String csv(List<Growth.Point> points) {
    StringBuilder csv = new StringBuilder("memory_bytes,records,nanos,limit_nanos,vs_limit,load\n");
    for (Growth.Point point : points) {
      if (point.why() == null) {
        csv.append(
            String.format(
                Locale.ROOT,
                "%d,%d,%.2f,%.2f,%.3f,%.4f%n",
                point.memoryBytes(),
                point.records(),
                point.nanos(),
                point.limitNanos(),
                point.ratio(),
                point.load()));
      }
    }
    return csv.toString();
  }
}
