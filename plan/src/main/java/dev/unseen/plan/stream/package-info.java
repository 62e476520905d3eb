/**
 * Describes streams. {@link dev.unseen.plan.stream.StreamModel} has the models, and {@link
 * dev.unseen.plan.stream.RepeatSample} learns a model from your own data.
 */
@NullMarked
package dev.unseen.plan.stream;

import org.jspecify.annotations.NullMarked;
