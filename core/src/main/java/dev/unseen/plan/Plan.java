package dev.unseen.plan;

import dev.unseen.plan.stream.StreamModel;
import java.util.List;
import java.util.Optional;

/**
 * What can be had for a memory on a stream.
 *
 * @param stream the stream
 * @param memoryBytes the memory of each filter
 * @param limits the errors that are tolerated
 * @param options all filters that were looked at; those that keep within the limits first, and
 *     among them those that get the fewest records wrong
 * @param bound what no structure can beat, where that is known
 * @param recommendation the option to take
 * @param refusal if no option keeps within the limits: why, and what is nearest
 */
public record Plan(
    StreamModel stream,
    long memoryBytes,
    ErrorLimits limits,
    List<PlanOption> options,
    Optional<BoundCurve> bound,
    Recommendation recommendation,
    Optional<String> refusal) {
  /** Copies the list. */
  public Plan {
    options = List.copyOf(options);
  }
}
