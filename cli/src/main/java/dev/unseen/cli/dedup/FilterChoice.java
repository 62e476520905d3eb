package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.audit.AuditSpec;
import dev.unseen.commands.CliException;
import dev.unseen.commands.ShellWords;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.hash.HashKind;
import dev.unseen.io.KeySpec;
import dev.unseen.text.Parse;
import java.util.Optional;

/** Builds a gate from the options. No other class does. */
final class FilterChoice {
  static final String DEFAULT_MEMORY = "64M";

  /** Chooses the filter for a stream of which nothing is known: {@link FilterKind#RECENCY}. */
  static final String AUTO = "auto";

  /** Every run audits one key in this many at first, and fewer as keys come. */
  private static final int SMALL_AUDIT_ONE_IN = 16;

  private static final long SMALL_AUDIT_BYTES = 64 << 10;

  private FilterChoice() {}

  /** Returns a builder with exactly the options that were given, to continue from a state. */
  static GateBuilder given(DedupOptions options) throws CliException {
    GateBuilder gate = Gate.builder().keyForm(keyForm(options));
    try {
      if (options.has("--memory")) {
        gate.memory(Memory.parse(options.get("--memory", "")));
      }
      if (options.has("--kind")) {
        gate.kind(kind(options.get("--kind", "")));
      }
      for (Parameter<?> parameter : Parameter.all()) {
        set(parameter, options, gate);
      }
      if (options.has("--refresh") || options.has("--no-refresh")) {
        gate.refresh(options.has("--refresh") ? Refresh.ALWAYS : Refresh.NEVER);
      }
      if (options.has("--hash")) {
        gate.hash(HashKind.of(options.get("--hash", "")));
      }
      if (options.has("--seed")) {
        gate.seed(seed(options.get("--seed", "")));
      }
      if (options.has("--secret-file")) {
        gate.secret(UserSecret.of(options.get("--secret-file", "")));
      }
      if (options.has("--sharded")) {
        gate.concurrent();
      }
      if (options.has("--audit")) {
        gate.audit(AuditSpec.parse(options.get("--audit", "")));
      }
      if (options.has("--max-time-ahead")) {
        gate.maxTimeAhead(Parse.duration("max-time-ahead", options.get("--max-time-ahead", "")));
      }
      if (options.has("--max-lateness")) {
        gate.maxLateness(Parse.duration("max-lateness", options.get("--max-lateness", "")));
      }
      return options.hasTime() ? gate.eventTime() : gate;
    } catch (IllegalArgumentException e) {
      throw CliException.usage(ShellWords.of(e.getMessage()), e);
    }
  }

  /**
   * Returns a builder for a new filter, with the default memory and a small audit if none is given.
   *
   * @param user whose secret keys are hashed with, if nothing else was given
   */
  static GateBuilder complete(DedupOptions options, Optional<UserSecret> user) throws CliException {
    GateBuilder gate = given(options);
    if (!options.has("--memory")) {
      gate.memory(Memory.parse(DEFAULT_MEMORY));
    }
    user.ifPresent(one -> gate.secret(one.secret()));
    try {
      boolean time = gate.spec().window().isTime(); // refuses what no filter can be
      if (!options.has("--audit")) {
        gate.audit(smallAudit(gate.spec().memoryBytes()));
      }
      if (options.hasTime() && !time) {
        throw CliException.usage("--time needs a window of time, such as --window 24h", null);
      }
      return gate;
    } catch (IllegalArgumentException e) {
      throw CliException.usage(ShellWords.of(e.getMessage()), e);
    }
  }

  /**
   * Returns an audit of a sixteenth of the filter's memory: 1,500 keys are enough for a warning.
   */
  private static AuditSpec smallAudit(long filterBytes) {
    long bytes =
        Math.max(AuditSpec.MIN_MEMORY_BYTES, Math.min(SMALL_AUDIT_BYTES, filterBytes / 16));
    return AuditSpec.oneIn(SMALL_AUDIT_ONE_IN).memory(bytes);
  }

  private static <T> void set(Parameter<T> parameter, DedupOptions options, GateBuilder gate) {
    String option = parameter.option().orElse("");
    if (options.has(option)) {
      gate.set(parameter, parameter.parse(options.get(option, "")));
    }
  }

  private static FilterKind kind(String id) {
    if (id.equalsIgnoreCase(AUTO)) {
      return FilterKind.RECENCY;
    }
    try {
      return FilterKind.of(id);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "kind '%s' is unknown; known: %s".formatted(id, String.join(", ", Arguments.kinds())), e);
    }
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "seed (%s) must be a whole number of at most 64 bits".formatted(text), e);
    }
  }

  /**
   * Returns how keys are hashed: one field by its bytes, several with their lengths before them.
   */
  private static KeyForm keyForm(DedupOptions options) {
    String fields = options.get("--key", "");
    boolean one = fields.isEmpty() || KeySpec.of(fields).isOneField();
    return new KeyForm(one ? "bytes" : "fields", options.keyInWords());
  }
}
