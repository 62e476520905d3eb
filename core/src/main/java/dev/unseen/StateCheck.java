package dev.unseen;

import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.snapshot.ClockState.Basis;
import dev.unseen.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Compares a saved state with the options of a builder, and lists the differences. */
final class StateCheck {
  private final Snapshot state;
  private final List<String> differences = new ArrayList<>();

  StateCheck(Snapshot state) {
    this.state = state;
  }

  void filter(FilterSpec wanted) {
    String parameter = Parameter.MAX_FPR.name() + ":";
    for (String difference : state.spec().differencesTo(wanted)) {
      differences.add(
          difference.startsWith(parameter)
              ? "maxFalsePositiveRate:" + difference.substring(parameter.length())
              : difference); // named as the method of the builder
    }
  }

  void keyForm(KeyForm wanted) {
    KeyForm saved = KeyForm.of(state.keyForm());
    if (!saved.fits(wanted)) {
      differences.add("key: %s and %s".formatted(saved, wanted));
    }
  }

  void eventTime(boolean wanted) {
    Basis saved = state.clock().basis();
    if (state.spec().window().isTime() && saved != Basis.UNKNOWN) {
      if (wanted != (saved == Basis.EVENT)) {
        differences.add(
            "eventTime: %s and %s".formatted(times(saved == Basis.EVENT), times(wanted)));
      }
    }
  }

  private static String times(boolean event) {
    return event ? "the records' own times" : "times of arrival";
  }

  /**
   * Compares whether the filter is for one thread or for many. A filter in shards also serves one
   * thread.
   */
  void concurrent(boolean wanted) {
    if (wanted && state.shards() == 1) {
      differences.add("concurrent: for one thread and for many");
    }
  }

  void audit(AuditSpec wanted) {
    if (wanted == null) {
      return;
    }
    if (state.audit().isEmpty()) {
      differences.add("audit: none and one in %d keys".formatted(wanted.oneIn()));
    } else if (!state.audit().get().spec().equals(wanted)) {
      AuditSpec saved = state.audit().get().spec();
      differences.add(
          "audit: one in %d keys with %d bytes and one in %d keys with %d bytes"
              .formatted(saved.oneIn(), saved.memoryBytes(), wanted.oneIn(), wanted.memoryBytes()));
    }
  }

  void refuse() {
    if (!differences.isEmpty()) {
      throw new IllegalArgumentException(
          "the options differ from those that the state was saved with (%s); set the saved values, leave these options out, or use another file"
              .formatted(String.join("; ", differences)));
    }
  }
}
