/**
 * Measures the errors of a filter while it runs. An {@link dev.unseen.audit.Audit} follows a share
 * of the keys exactly and compares the filter's answers with the truth. Its {@link
 * dev.unseen.audit.AuditReport} contains the false positive rate and the false negative rate, each
 * with an interval that contains the true rate in 95 of 100 cases.
 */
package dev.unseen.audit;
