package dev.unseen.plan;

import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.List;
import java.util.Optional;

/**
 * The filters that are possible in a memory on a stream, and the one to use.
 *
 * @param stream the stream
 * @param memoryBytes the memory of each filter in bytes
 * @param limits the largest error rates that the user accepts
 * @param options all filters that were considered. Filters within the limits come first, and among
 *     them those with the fewest errors
 * @param bound the bound that no structure can beat, if it is known
 * @param recommendation the recommended option
 * @param rejection the error message if no option is within the limits: the reason, and the nearest
 *     option
 */
public record Plan(
    StreamModel stream,
    long memoryBytes,
    ErrorLimits limits,
    List<PlanOption> options,
    Optional<BoundCurve> bound,
    Recommendation recommendation,
    Optional<String> rejection) {
  /** Copies the list. */
  public Plan {
    options = List.copyOf(options);
  }

  /**
   * Returns the spec of the recommended filter, for {@code build(spec)} of a builder.
   *
   * @throws IllegalArgumentException if no filter is within the limits; the message names the
   *     nearest one
   */
  public FilterSpec spec() {
    if (rejection.isPresent()) {
      throw new IllegalArgumentException(rejection.get());
    }
    return recommendation.option().spec();
  }
}
