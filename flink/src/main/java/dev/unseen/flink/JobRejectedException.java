package dev.unseen.flink;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Ends a job that would be no better off after a restart, such as one whose state is damaged or of
 * another filter. The message says what is wrong and what to do.
 */
public final class JobRejectedException extends SuppressRestartsException {
  private static final long serialVersionUID = 1;

  private final String reason;

  /** Creates one with its message. */
  JobRejectedException(String reason, Throwable cause) {
    super(new IllegalStateException(reason, cause));
    this.reason = reason;
  }

  @Override
  public String getMessage() {
    return reason;
  }
}
