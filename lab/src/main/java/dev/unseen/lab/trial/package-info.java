/**
 * Runs streams through filters and compares every answer with the exact truth. A {@link
 * dev.unseen.lab.trial.Tally} counts the errors of a filter.
 */
package dev.unseen.lab.trial;
