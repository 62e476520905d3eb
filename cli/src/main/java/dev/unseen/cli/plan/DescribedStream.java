package dev.unseen.cli.plan;

import dev.unseen.plan.stream.StreamModel;

/**
 * A stream, and how to speak of it.
 *
 * @param model what the planner takes
 * @param words such as {@code 1 billion records, 600 million distinct (60 %)}
 */
record DescribedStream(StreamModel model, String words) {}
