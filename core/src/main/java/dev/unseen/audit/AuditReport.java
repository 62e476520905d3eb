package dev.unseen.audit;

/**
 * What an audit has measured.
 *
 * @param fpr of the new records, the share taken for duplicates: lost
 * @param fnr of the duplicates, the share taken for new: let through
 * @param oneIn of so many keys, one is followed at present
 * @param thinned whether that is fewer than was asked for, since memory did not suffice
 * @param keys followed at present
 */
public record AuditReport(
    MeasuredRate fpr, MeasuredRate fnr, long oneIn, boolean thinned, long keys) {}
