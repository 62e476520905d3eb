package dev.unseen.bench;

import java.util.Locale;

final class SpeedTable {
  private SpeedTable() {}

  static String of(Ranking ranking) {
    StringBuilder text = new StringBuilder();
    text.append(ranking.results().get(0).scenario().describe()).append("\n\n");
    text.append(
        """
        | contestant                      |  MiB |   M/s | vs best peer | vs limit | vs plain loop | lines | load |  new |
        |---------------------------------|-----:|------:|-------------:|---------:|--------------:|------:|-----:|-----:|
        """);
    for (Result result : ranking.results()) {
      boolean limit = result.role().isLimit();
      boolean ours = result.role() == EntryRole.OURS;
      text.append(
          String.format(
              Locale.ROOT,
              "| %-31s | %4d | %5.1f | %12s | %8s | %13s | %5s | %4s | %4s |%n",
              result.name(),
              Math.round(result.memoryBytes() / 0x1p20),
              result.mops(),
              number("%.2f", ranking.vsBestPeer(result)),
              number("%.2f", ranking.vsLimit(result)),
              number("%.2f", ranking.vsPlainLoop(result)),
              limit || ours ? number("%.1f", result.round().lines()) : "",
              number("%.2f", result.round().load()),
              limit ? "" : number("%.2f", result.round().admitted())));
    }
    if (ranking.busy() > 1.1) {
      text.append(
          String.format(
              Locale.ROOT,
              "%nThe machine was busy: the wall-clock time was up to %.1f times the CPU time.%n",
              ranking.busy()));
    }
    return text.toString();
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
