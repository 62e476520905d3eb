/**
 * Chooses a filter before it runs: {@link dev.unseen.plan.Planner} tells which filter to take for a
 * stream and how often it will be wrong.
 *
 * <p>The streams are described in {@link dev.unseen.plan.stream}, and the errors are predicted in
 * {@link dev.unseen.plan.predict}. Nothing is run.
 */
package dev.unseen.plan;
