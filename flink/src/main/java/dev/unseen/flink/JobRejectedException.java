package dev.unseen.flink;

import dev.unseen.LateRecordException;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.OptionException;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Ends a job that would be no better off after a restart, such as one whose state is damaged or of
 * another filter. The message says what is wrong and what to do.
 */
public final class JobRejectedException extends SuppressRestartsException {
  private static final long serialVersionUID = 2;

  /** Encloses the names of options, because only text comes from a task to the client. */
  private static final String MARK = "\u0001";

  private static final Pattern OPTION = Pattern.compile(MARK + "(\\w+)" + MARK);

  private final String reason;
  private final String description; // with the names of options enclosed in marks

  /** Creates one with its message. */
  JobRejectedException(String reason, Throwable cause) {
    this(reason, reason, cause);
  }

  private JobRejectedException(String reason, String description, Throwable cause) {
    super(new IllegalStateException(reason, cause));
    this.reason = reason;
    this.description = description;
  }

  /** Creates one for options, or for a record that is too late. */
  static JobRejectedException of(RuntimeException e) {
    return new JobRejectedException(e.getMessage(), describe(e, name -> MARK + name + MARK), e);
  }

  private static String describe(RuntimeException e, UnaryOperator<String> names) {
    if (e instanceof OptionException option) {
      return option.describe(names);
    }
    if (e instanceof DifferentOptionsException different) {
      return different.describe(names);
    }
    return e instanceof LateRecordException late ? late.describe(names) : e.getMessage();
  }

  /** Returns what is wrong and what to do, with the options named as in Java. */
  @Override
  public String getMessage() {
    return reason;
  }

  /** Returns what is wrong and what to do, for a user who knows the options by these names. */
  public String describe(UnaryOperator<String> names) {
    return OPTION
        .matcher(description)
        .replaceAll(match -> Matcher.quoteReplacement(names.apply(match.group(1))));
  }
}
