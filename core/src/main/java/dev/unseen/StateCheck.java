package dev.unseen;

import dev.unseen.audit.AuditSpec;
import dev.unseen.clock.ClockState.Basis;
import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.filter.FilterSpec;
import dev.unseen.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Compares a saved state with the options of a builder. */
final class StateCheck {
  private static final Set<String> FIXED = Set.of("key", "eventTime");
  private static final Set<String> OF_HASHES = Set.of("hash", "secret", "seed");

  private StateCheck() {}

  /** Returns the options that differ from those that a state was saved with. */
  static List<Difference> differences(
      Snapshot state, FilterSpec wanted, GateConfig config, KeyForm keys) {
    List<Difference> differences = new ArrayList<>(state.spec().differencesTo(wanted));
    KeyForm saved = KeyForm.of(state.keyForm());
    if (!saved.fits(keys)) {
      differences.add(new Difference("key", saved.toString(), keys.toString()));
    }
    Basis basis = state.clock().basis();
    boolean eventTime = config.is(Option.EVENT_TIME);
    if (state.spec().window().isTime()
        && basis != Basis.NONE
        && eventTime != (basis == Basis.EVENT)) {
      differences.add(new Difference("eventTime", times(!eventTime), times(eventTime)));
    }
    if (config.is(Option.CONCURRENT) && state.shards() == 1) { // shards also serve one thread
      differences.add(new Difference("concurrent", "for one thread", "for many"));
    }
    config.get(Option.AUDIT).ifPresent(audit -> compare(state, audit, differences));
    return differences;
  }

  /** Returns whether a filter with these differences can take over from a saved one. */
  static boolean canGrow(List<Difference> differences, boolean hasKeys) {
    return differences.stream()
        .map(Difference::option)
        .noneMatch(name -> FIXED.contains(name) || (!hasKeys && OF_HASHES.contains(name)));
  }

  private static String times(boolean event) {
    return event ? "the records' own times" : "times of arrival";
  }

  private static void compare(Snapshot state, AuditSpec wanted, List<Difference> differences) {
    if (state.audit().isEmpty()) {
      differences.add(new Difference("audit", "none", "one in %d keys".formatted(wanted.oneIn())));
    } else if (!state.audit().get().spec().equals(wanted)) {
      differences.add(
          new Difference("audit", described(state.audit().get().spec()), described(wanted)));
    }
  }

  private static String described(AuditSpec audit) {
    return "one in %d keys with %d bytes".formatted(audit.oneIn(), audit.memoryBytes());
  }
}
