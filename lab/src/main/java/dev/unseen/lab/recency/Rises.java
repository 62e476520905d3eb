package dev.unseen.lab.recency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Lists where FNR is higher although the filter was given more: more memory at the same rate, or a
 * higher rate at the same memory.
 */
public final class Rises {
  public static final String HEADER =
      "stream,more,bits_per_key,max_fpr,with_bits_per_key,with_max_fpr,fnr,with_fnr,rise,rise_se";

  private Rises() {}

  /** Returns a line of CSV for each rise between neighbors, the largest first. */
  public static List<String> csv(List<Measurement> all) {
    List<Rise> rises = new ArrayList<>();
    for (Measurement less : all) {
      next(all, less, true).ifPresent(more -> rises.add(new Rise("memory", less, more)));
      next(all, less, false).ifPresent(more -> rises.add(new Rise("rate", less, more)));
    }
    return rises.stream()
        .filter(rise -> rise.share() > 0)
        .sorted(Comparator.comparingDouble(Rise::share).reversed())
        .map(Rise::csv)
        .toList();
  }

  /** Returns the next measurement of the same stream with more memory, or with a higher rate. */
  private static Optional<Measurement> next(
      List<Measurement> all, Measurement less, boolean memory) {
    return all.stream()
        .filter(m -> m.stream().equals(less.stream()))
        .filter(
            m ->
                memory
                    ? m.maxFpr() == less.maxFpr() && m.bitsPerKey() > less.bitsPerKey()
                    : m.bitsPerKey() == less.bitsPerKey() && m.maxFpr() > less.maxFpr())
        .min(Comparator.comparingDouble(memory ? Measurement::bitsPerKey : Measurement::maxFpr));
  }

  private record Rise(String what, Measurement less, Measurement more) {
    /** Returns by which share FNR rises; 0 if it does not. */
    double share() {
      return less.fnr() == 0 ? 0 : Math.max(0, more.fnr() / less.fnr() - 1);
    }

    /** Returns the standard error of the share, from the deviations between the seeds. */
    double error() {
      double a = more.fnrSd() / less.fnr();
      double b = more.fnr() * less.fnrSd() / less.fnr() / less.fnr();
      return Math.sqrt((a * a + b * b) / less.runs().size());
    }

    String csv() {
      return String.format(
          Locale.ROOT,
          "%s,%s,%s,%s,%s,%s,%.8f,%.8f,%.4f,%.4f",
          less.stream(),
          what,
          less.bitsPerKey(),
          less.maxFpr(),
          more.bitsPerKey(),
          more.maxFpr(),
          less.fnr(),
          more.fnr(),
          share(),
          error());
    }
  }
}
