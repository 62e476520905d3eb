/**
 * Predicts the errors of a filter on a stream. {@link dev.unseen.plan.predict.Predictions} is the
 * entry point, and the models behind it are hidden.
 */
@NullMarked
package dev.unseen.plan.predict;

import org.jspecify.annotations.NullMarked;
