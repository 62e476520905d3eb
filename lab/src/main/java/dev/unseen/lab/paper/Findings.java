package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Explains what had to be found out before the tables could be reproduced, with the measured
 * numbers.
 */
final class Findings {
  private final Reproduction reproduction;
  private final List<CellResult> results;
  private final List<CellResult> published;
  private final List<Finding> all = new ArrayList<>();

  /** A fact that the reproduction shows, with the numbers that prove it. */
  record Finding(String title, String text, List<String> columns, List<List<String>> rows) {}

  private Findings(Reproduction reproduction) {
    this.reproduction = reproduction;
    this.results = reproduction.results();
    this.published = results.stream().filter(CellResult::isAsPublished).toList();
  }

  /** Returns the findings that the chosen tables can prove. */
  static List<Finding> of(Reproduction reproduction) {
    Findings findings = new Findings(reproduction);
    findings.conditionalRates();
    findings.dataSet();
    findings.stableFilter();
    findings.limitOf31Bits();
    findings.reservoir();
    findings.load();
    findings.plainBloom();
    return findings.all;
  }

  private void add(String title, String text, List<String> columns, List<List<String>> rows) {
    if (!rows.isEmpty()) {
      all.add(new Finding(title, text, columns, rows.stream().distinct().toList()));
    }
  }

  private void conditionalRates() {
    List<List<String>> rows = new ArrayList<>();
    for (CellResult r : published) {
      if (r.cell().fpr() > r.cell().distinctPercent()) {
        rows.add(
            List.of(
                cellName(r.cell()),
                percent(r.cell().fpr()),
                percent(r.fpr().measured()),
                percent(r.measured().fpr() * r.cell().distinctPercent())));
      }
    }
    add(
        "The rates are conditional",
        "Section 3.2 of the paper defines FPR and FNR as joint probabilities, so that FPR could not"
            + " exceed the share of distinct records. In the tables it does: they hold false"
            + " positives among the distinct records, and false negatives among the duplicates.",
        List.of("cell", "published FPR", "conditional", "joint"),
        rows);
  }

  private void dataSet() {
    reproduction.dataSetCell().ifPresent(this::dataSet);
  }

  private void dataSet(PublishedCell cell) {
    Tally shuffled = last(reproduction.along(cell));
    Tally uniform = last(reproduction.uniformAlong(cell));
    add(
        "The data set is not uniform draws",
        "The text speaks of uniform random data. What fits the tables: each of the D"
            + " distinct keys at least once, the other records uniform over those D keys,"
            + " the whole shuffled. Uniform draws from a universe with as many distinct"
            + " keys come out differently.",
        List.of(cellName(cell), "published", "each key once, shuffled", "uniform draws"),
        List.of(
            List.of(
                "FPR",
                percent(cell.fpr()),
                percent(100 * shuffled.fpr()),
                percent(100 * uniform.fpr())),
            List.of(
                "FNR",
                percent(cell.fnr()),
                percent(100 * shuffled.fnr()),
                percent(100 * uniform.fnr()))));
  }

  private void stableFilter() {
    add(
        "SBF is two hashes, one-bit cells, four decrements",
        "The paper does not say which stable Bloom filter it compares with. K = 2 hashes, cells of"
            + " one bit and a false positive target of 0.1, hence P = 4 cells decremented per"
            + " record, fit every cell up to 256 MB.",
        List.of("cell", "published FPR / FNR", "reproduced FPR / FNR"),
        published.stream()
            .filter(r -> r.cell().algorithm().equals("SBF") && r.cell().memoryMb() < 512)
            .filter(r -> isProof(r.cell()))
            .map(Findings::row)
            .toList());
  }

  private void limitOf31Bits() {
    readings(
        "At 512 MB, random numbers of 31 bits were too short",
        "512 MB are 2^32 bits. The published figures at that size come out only if random resets"
            + " reach the lower 2^31 positions, half of the filter. The published SBF is flattered"
            + " by it: without the limit it misses more duplicates. Cells with k = 1 show it too.",
        "resets reach half",
        "resets reach all",
        false);
  }

  private void reservoir() {
    readings(
        "RSBF as measured is not RSBF as printed",
        "As printed, a filter with at least as many bits as there are records never leaves its"
            + " first phase and has no false negatives. The published figures fit another rule:"
            + " every record, duplicate or not, is chosen with probability min(1, s/i); a chosen"
            + " record resets one random bit in each filter and sets its own, from the first record"
            + " on.",
        "as measured",
        "as printed",
        true);
  }

  private void readings(String title, String text, String first, String second, boolean reservoir) {
    List<List<String>> rows = new ArrayList<>();
    for (CellResult described : results) {
      PublishedCell cell = described.cell();
      if (!described.isAsPublished()
          && isProof(cell)
          && cell.algorithm().equals("RSBF") == reservoir) {
        List<String> row = new ArrayList<>();
        published.stream().filter(r -> r.cell().equals(cell)).forEach(r -> row.addAll(row(r)));
        row.add(rates(described.measured()));
        rows.add(row);
      }
    }
    add(title, text, List.of("cell", "published FPR / FNR", first, second), rows);
  }

  private void load() {
    List<List<String>> rows = new ArrayList<>();
    for (Figure figure : reproduction.figures()) {
      for (PublishedCell cell : reproduction.cellsOf(figure)) {
        if (figure.showsLoad()) {
          List<Tally> along = reproduction.along(cell);
          double records = Tally.recordsUntilSettled(along) * reproduction.scale();
          String settled = Math.round(records / 1e6) + " M";
          rows.add(List.of(cellName(cell), percent(100 * last(along).load()), settled));
        }
      }
    }
    add(
        "The load does not tend to one, and settles first in SBF",
        "The theory section lets a bit that is set already be set again as if it were a gain, and"
            + " concludes that the load, and with it X, tends to 1. Measured, it settles far below."
            + " The paper also says that its filters converge faster than SBF. Here is the number"
            + " of records after which the load stays within 5 % of its value at the end.",
        List.of("cell", "load at the end, in percent", "within 5 % after"),
        rows);
  }

  private void plainBloom() {
    List<List<String>> rows = new ArrayList<>();
    for (Figure figure : reproduction.figures()) {
      for (PublishedCell cell : reproduction.cellsOf(figure)) {
        if (!figure.showsLoad() && cell.algorithm().equals("RLBSBF")) {
          double keys = cell.records() * (cell.distinctPercent() / 100.0);
          rows.add(
              List.of(
                  figure.title(cell),
                  String.format(Locale.ROOT, "%.1f", ((long) cell.memoryMb() << 23) / keys),
                  rates(last(reproduction.along(cell))),
                  rates(last(reproduction.bloomAlong(cell)))));
        }
      }
    }
    add(
        "Plain Bloom was left out, and it often wins",
        "A Bloom filter that never forgets has no false negatives at all. Above about 3.5 bits per"
            + " distinct key it beats the best of the five on both rates; forgetting pays once the"
            + " stream outgrows the memory.",
        List.of("stream", "bits per distinct key", "RLBSBF FPR / FNR", "plain Bloom FPR / FNR"),
        rows);
  }

  /**
   * Returns whether a cell is used as proof. The streams of a billion records are enough, if they
   * are among the results.
   */
  private boolean isProof(PublishedCell cell) {
    return cell.recordsName().equals("1B")
        || results.stream().noneMatch(r -> r.cell().recordsName().equals("1B"));
  }

  /** Returns a cell, its published rates and the measured ones. */
  private static List<String> row(CellResult r) {
    String published = percent(r.cell().fpr()) + " / " + percent(r.cell().fnr());
    return List.of(cellName(r.cell()), published, rates(r.measured()));
  }

  private static String cellName(PublishedCell cell) {
    return "%s k=%d, %s/%d %%, %d MB"
        .formatted(
            cell.algorithm(),
            cell.k(),
            cell.recordsName(),
            cell.distinctPercent(),
            cell.memoryMb());
  }

  private static String rates(Tally tally) {
    return percent(100 * tally.fpr()) + " / " + percent(100 * tally.fnr());
  }

  /** Returns a percentage without its sign and with four significant digits, as in the tables. */
  private static String percent(double value) {
    return Print.digits(value, 4);
  }

  private static Tally last(List<Tally> tallies) {
    return tallies.get(tallies.size() - 1);
  }
}
