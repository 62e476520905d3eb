package dev.unseen.error;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an option has a value that cannot be used. It consists of the option, the value, what
 * is allowed and what to do, so that each front end can show the option by the name that its users
 * know: {@code memory} in Java, {@code --memory} in a shell, {@code unseen.memory} in properties.
 *
 * <p>The texts refer to options by their names in braces: {@code leave {memory} out}.
 */
public final class OptionException extends IllegalArgumentException {
  /** Stands for the setting of the heap, which is not an option but may be part of a remedy. */
  public static final String HEAP = "heap";

  private static final long serialVersionUID = 1L;
  private static final Pattern REFERENCE = Pattern.compile("\\{(\\w+)}");

  private final String option;
  private final String value;
  private final String rule;
  private final String remedy;

  private OptionException(
      String option, String value, String rule, String remedy, @Nullable Throwable cause) {
    super(null, cause);
    this.option = option;
    this.value = value;
    this.rule = rule;
    this.remedy = remedy;
  }

  /**
   * Creates an exception for a value that is out of range, or that does not fit other options.
   *
   * @param option the name of the option, such as {@code memory}
   * @param value the value, as a user would write it
   * @param allowed what the value must be: {@code at least 64 bytes}, {@code left out for bloom}
   */
  public static OptionException outOfRange(String option, Object value, String allowed) {
    return new OptionException(option, "(" + value + ")", "must be " + allowed, "", null);
  }

  /**
   * Creates an exception for a text that has another form than the values of the option.
   *
   * @param form the form that the text must have, with an example
   */
  public static OptionException malformed(String option, String text, String form) {
    return new OptionException(option, "'" + text + "'", "must be " + form, "", null);
  }

  /**
   * Creates an exception for a text that is none of the values of the option.
   *
   * @param known the values
   */
  public static OptionException unknown(String option, String text, Iterable<String> known) {
    String values = String.join(", ", known);
    return new OptionException(option, "'" + text + "'", "is unknown; known: " + values, "", null);
  }

  /** Creates an exception for an option that has no value, although one is needed. */
  public static OptionException missing(String option, String remedy) {
    return new OptionException(option, "", "is not set", remedy, null);
  }

  /** Returns the same exception with what to do. */
  public OptionException remedy(String text) {
    return new OptionException(option, value, rule, text, getCause());
  }

  /** Returns the same exception with its cause. */
  public OptionException causedBy(@Nullable Throwable cause) {
    return new OptionException(option, value, rule, remedy, cause);
  }

  /** Returns the name of the option. */
  public String option() {
    return option;
  }

  /** Returns the value as it is shown: a value in parentheses, a text in quotes, or empty. */
  public String value() {
    return value;
  }

  /** Returns what is wrong and what to do, for a user who knows the options by these names. */
  public String describe(UnaryOperator<String> names) {
    return names.apply(option) + (value.isEmpty() ? " " : " " + value + " ") + advice(names);
  }

  /**
   * Returns what the value must be and what to do, for a front end that shows the option and the
   * value itself.
   */
  public String advice(UnaryOperator<String> names) {
    return named(remedy.isEmpty() ? rule : rule + "; " + remedy, names);
  }

  private static String named(String text, UnaryOperator<String> names) {
    return REFERENCE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(names.apply(match.group(1))));
  }

  /** Returns what is wrong and what to do, with the options named as in Java. */
  @Override
  public String getMessage() {
    return describe(name -> name.equals(HEAP) ? "java -Xmx" : name);
  }
}
