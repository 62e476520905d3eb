/**
 * Chooses a filter before it runs: {@link dev.unseen.plan.Planner} recommends a filter for a stream
 * and predicts how often it will be wrong.
 *
 * <p>The streams are described in {@link dev.unseen.plan.stream}, and the errors are predicted in
 * {@link dev.unseen.plan.predict}.
 *
 * <p>The <a href="https://github.com/unseen-dev/unseen/blob/main/docs/planner.md">page about the
 * planner</a> shows what it answers and how sure it is.
 */
@NullMarked
package dev.unseen.plan;

import org.jspecify.annotations.NullMarked;
