package dev.unseen.error;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Thrown if a saved state was created with other options than those that are set now. */
public final class DifferentOptionsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Difference> differences;

  /** Creates an exception for at least one difference. */
  public DifferentOptionsException(List<Difference> differences) {
    super(
        "the options differ from those that the state was saved with (%s); set the saved values, leave these options out, or use another file"
            .formatted(list(differences, UnaryOperator.identity())));
    this.differences = List.copyOf(differences);
  }

  /**
   * An option that differs.
   *
   * @param option the name of the option
   * @param saved its value in the state
   * @param set the value that is set now
   */
  public record Difference(String option, String saved, String set) {
    @Override
    public String toString() {
      return "%s: %s and %s".formatted(option, saved, set);
    }
  }

  /** Returns the options that differ. */
  public List<Difference> differences() {
    return differences;
  }

  /**
   * Lists each option that differs, with the saved value and the value that is set now, for a user
   * who knows the options by these names.
   */
  public String list(UnaryOperator<String> names) {
    return list(differences, names);
  }

  private static String list(List<Difference> differences, UnaryOperator<String> names) {
    return differences.stream()
        .map(one -> new Difference(names.apply(one.option()), one.saved(), one.set()).toString())
        .collect(Collectors.joining("; "));
  }
}
