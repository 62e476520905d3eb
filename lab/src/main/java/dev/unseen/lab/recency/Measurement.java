package dev.unseen.lab.recency;

import dev.unseen.lab.trial.Tally;
import java.util.List;
import java.util.Locale;

/**
 * RECENCY with its default settings on one stream: one run per seed.
 *
 * @param stream the name of the stream
 * @param bitsPerKey the memory in bits per distinct key; with a window, per key within it
 * @param maxFpr the largest false positive rate, as the user sets it
 * @param runs the tallies, one per seed; with a window, a key that is evicted early counts as a
 *     false negative, and the other keys as duplicates
 */
public record Measurement(String stream, double bitsPerKey, double maxFpr, List<Tally> runs) {
  public static final String HEADER =
      "stream,records,distinct,bits_per_key,max_fpr,seeds,fnr,fnr_sd,fpr,worst_fpr";

  public double fnr() {
    return runs.stream().mapToDouble(Tally::fnr).average().orElse(0);
  }

  /** Returns the standard deviation of FNR between the seeds; 0 if there is one. */
  public double fnrSd() {
    return runs.size() < 2 ? 0 : Tally.fnrDeviation(runs);
  }

  public double fpr() {
    return runs.stream().mapToDouble(Tally::fpr).average().orElse(0);
  }

  public double worstFpr() {
    return runs.stream().mapToDouble(Tally::fpr).max().orElse(0);
  }

  public String csv() {
    Tally first = runs.get(0);
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%s,%s,%d,%.8f,%.8f,%.8f,%.8f",
        stream,
        first.records(),
        first.distinct(),
        bitsPerKey,
        maxFpr,
        runs.size(),
        fnr(),
        fnrSd(),
        fpr(),
        worstFpr());
  }
}
