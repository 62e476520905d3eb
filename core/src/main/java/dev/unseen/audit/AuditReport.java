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
    MeasuredRate fpr, MeasuredRate fnr, long oneIn, boolean thinned, long keys) {}
