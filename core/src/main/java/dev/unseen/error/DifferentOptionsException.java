package dev.unseen.error;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Thrown if a saved state was created with other options than those that are set now. */
public final class DifferentOptionsException extends IllegalArgumentException {
  /**
   * Stands for the setting that allows a filter to grow, which each front end has its own form of.
   */
  public static final String GROW = "grow";

  private static final long serialVersionUID = 1L;

  private final Difference[] differences; // an array, because it can be serialized
  private final boolean canGrow;

  public DifferentOptionsException(List<Difference> differences, boolean canGrow) {
    this.differences = differences.toArray(Difference[]::new);
    this.canGrow = canGrow;
  }

  /**
   * Returns whether the filter could take over from the saved one, if {@code onChange} allowed it.
   */
  public boolean canGrow() {
    return canGrow;
  }

  /** Returns what is wrong and what to do, for a user who knows the options by these names. */
  public String describe(UnaryOperator<String> names) {
    return "the options differ from those that the state was saved with (%s); set the saved values, leave these options out, %s"
        .formatted(
            list(names),
            canGrow
                ? "use another file, or change them without forgetting any key with %s"
                    .formatted(names.apply(GROW))
                : "or use another file");
  }

  /** Returns what is wrong and what to do, with the options named as in Java. */
  @Override
  public String getMessage() {
    return describe(name -> name.equals(GROW) ? "onChange(GROW)" : name);
  }

  /**
   * An option that differs.
   *
   * @param option the name of the option
   * @param saved its value in the state
   * @param set the value that is set now
   */
  public record Difference(String option, String saved, String set) implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      return "%s: %s and %s".formatted(option, saved, set);
    }
  }

  /** Returns the options that differ. */
  public List<Difference> differences() {
    return List.of(differences);
  }

  /**
   * Lists each option that differs, with the saved value and the value that is set now, for a user
   * who knows the options by these names.
   */
  public String list(UnaryOperator<String> names) {
    return Arrays.stream(differences)
        .map(one -> new Difference(names.apply(one.option()), one.saved(), one.set()).toString())
        .collect(Collectors.joining("; "));
  }
}
