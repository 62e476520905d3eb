package dev.unseen.audit;

/**
 * A rate measured on a sample, and the interval that holds the stream's own rate in 95 of 100
 * cases.
 *
 * @param rate the best estimate for the whole stream; 0 if there were no trials. That is not errors
 *     among trials where the totals of the stream tell more than the sample.
 * @param low the lower end of the interval
 * @param high its upper end; 1 if there were no trials
 * @param errors how often the filter was wrong on the sample
 * @param trials how often it could have been
 */
public record MeasuredRate(double rate, double low, double high, long errors, long trials) {}
