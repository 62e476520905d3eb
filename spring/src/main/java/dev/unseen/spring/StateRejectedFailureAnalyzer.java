package dev.unseen.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why the state of a deduplicator cannot be used, and what to do. */
class StateRejectedFailureAnalyzer extends AbstractFailureAnalyzer<StateRejectedException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StateRejectedException cause) {
    return new FailureAnalysis(
        "The state of the deduplicator '%s' in %s is rejected:%n%n    %s"
            .formatted(cause.deduplicator(), cause.file(), cause.getMessage()),
        action(cause),
        cause);
  }

  private static String action(StateRejectedException cause) {
    String file = cause.prefix() + ".state.file";
    return switch (cause.reason()) {
      case NOT_USABLE ->
          "Make the file usable for this process alone, or set %s to another file. If the process before this one is about to end, as in a rolling update, set %s.state.lock-timeout to wait for it."
              .formatted(file, cause.prefix());
      case DAMAGED ->
          "Restore the file from a copy. Or set %s.state.on-damage=set-aside: the file is then renamed, and the application starts with an empty filter, which accepts everything once more."
              .formatted(cause.prefix());
      case DIFFERENT_OPTIONS ->
          "Set the properties below %1$s to the saved values, or leave them out. Or set %1$s.on-change=grow, to change them without forgetting any key. Or set %2$s to another file, to start with an empty filter."
              .formatted(cause.prefix(), file);
    };
  }
}
