package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cell of the tables and the result of one reading of it.
 *
 * @param along the tallies along the stream
 */
public record CellResult(PublishedCell cell, Reading reading, List<Tally> along) {
  private static final double TOLERANCE = 0.02;
  private static final double STANDARD_ERRORS = 3;

  /** One of the two rates of a cell, in percent. */
  public record Rate(
      PublishedCell cell, String name, double published, double measured, double standardError) {
    /** Returns the deviation, relative to the published rate. */
    public double deviation() {
      return published == 0 ? 0 : (measured - published) / published;
    }

    /** Returns the deviation in standard errors of the measured rate. */
    public double inStandardErrors() {
      return standardError == 0 ? 0 : (measured - published) / standardError;
    }

    /**
     * Returns the deviation relative to the allowed deviation: 2 %, or three standard errors if
     * that is more.
     */
    double score() {
      double allowed = Math.max(TOLERANCE * published, STANDARD_ERRORS * standardError);
      double off = Math.abs(measured - published);
      return off == 0 ? 0 : off / allowed;
    }

    public boolean within() {
      return score() <= 1;
    }
  }

  public CellResult {
    along = List.copyOf(along);
  }

  boolean isAsPublished() {
    return reading == Reading.AS_PUBLISHED;
  }

  String label() {
    return reading.label(cell);
  }

  Tally measured() {
    return along.get(along.size() - 1);
  }

  Rate fpr() {
    return new Rate(cell, "FPR", cell.fpr(), 100 * measured().fpr(), 100 * measured().fprSe());
  }

  Rate fnr() {
    return new Rate(cell, "FNR", cell.fnr(), 100 * measured().fnr(), 100 * measured().fnrSe());
  }

  boolean within() {
    return fpr().within() && fnr().within();
  }

  /** Returns the larger deviation of the two, relative to the published rate. */
  double worseDeviation() {
    return Math.max(Math.abs(fpr().deviation()), Math.abs(fnr().deviation()));
  }

  /** Returns all rates that were reproduced as published, the largest deviation first. */
  public static List<Rate> worstFirst(List<CellResult> results) {
    return results.stream()
        .filter(CellResult::isAsPublished)
        .flatMap(r -> Stream.of(r.fpr(), r.fnr()))
        .sorted(Comparator.comparingDouble(Rate::score).reversed())
        .toList();
  }
}
