package dev.unseen.kafka;

/** Ends a run at a record that has no key, because the user wants that. */
final class RecordRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RecordRejectedException(String message) {
    super(message);
  }
}
