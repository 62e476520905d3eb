package dev.unseen.cli.plan;

import dev.unseen.plan.stream.StreamModel;
import java.util.List;

/**
 * A stream, and how to speak of it.
 *
 * @param model what the planner takes
 * @param words such as {@code 1 billion records, 600 million distinct (60 %)}
 * @param notes sentences about how well the stream is known; none if there is nothing to say
 */
record DescribedStream(StreamModel model, String words, List<String> notes) {
  DescribedStream(StreamModel model, String words) {
    this(model, words, List.of());
  }
}
