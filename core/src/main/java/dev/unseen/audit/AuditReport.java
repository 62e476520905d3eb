package dev.unseen.audit;

/**
 * The result of an audit.
 *
 * @param fpr the false positive rate: the share of the new records that were treated as duplicates,
 *     and lost
 * @param fnr the false negative rate: the share of the duplicates that were treated as new, and let
 *     through
 * @param oneIn the audit follows one in this number of keys at present
 * @param thinned whether the audit follows fewer keys than its spec says, because its memory was
 *     too small
 * @param keys the number of keys that are followed at present
 */
public record AuditReport(
    MeasuredRate fpr, MeasuredRate fnr, long oneIn, boolean thinned, long keys) {

  /**
   * A rate that was measured on a sample, with an interval that contains the true rate of the
   * stream in 95 of 100 cases.
   *
   * @param rate the best estimate for the whole stream; 0 if there were no trials. It differs from
   *     errors divided by trials if the totals of the stream say more than the sample.
   * @param low the lower end of the interval
   * @param high the upper end of the interval; 1 if there were no trials
   * @param errors how often the filter was wrong on the sample
   * @param trials how often the filter could have been wrong on the sample
   */
  public record MeasuredRate(double rate, double low, double high, long errors, long trials) {
    /** If a rate without an error can be as high as this, there were too few trials. */
    private static final double NOTHING_KNOWN = 0.9;

    /**
     * Returns whether the rate means something: it is exact, or there were enough trials. Otherwise
     * only the interval holds, and a rate of 0 is not a promise.
     */
    public boolean isKnown() {
      return low == high || (trials > 0 && (errors > 0 || high <= NOTHING_KNOWN));
    }
  }
}
