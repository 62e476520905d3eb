/**
 * Measures the errors of a filter while it runs. An audit follows a share of the keys exactly and
 * compares the filter's answers with the truth. Its {@link dev.unseen.audit.AuditReport} contains
 * the false positive rate and the false negative rate, each with an interval that contains the true
 * rate in 95 of 100 cases.
 *
 * <p><a href="https://github.com/unseen-dev/unseen/blob/main/docs/state.md">States</a> shows how to
 * use it, and <a href="https://github.com/unseen-dev/unseen/blob/main/docs/audit/README.md">a
 * measurement</a> how often the intervals hold.
 */
@NullMarked
package dev.unseen.audit;

import org.jspecify.annotations.NullMarked;
