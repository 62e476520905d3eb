package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.audit.AuditSpec;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.ShellWords;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.hash.HashKind;
import dev.unseen.io.KeySpec;
import dev.unseen.text.Parse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The filter that the options ask for. No other class of the shell builds a gate. */
final class FilterChoice {
  static final String DEFAULT_MEMORY = "64M";

  /** Chooses the filter for a stream of which nothing is known: {@link FilterKind#RECENCY}. */
  static final String AUTO = "auto";

  /** Every run audits one key in this many at first, and fewer as keys come. */
  private static final int SMALL_AUDIT_ONE_IN = 16;

  private static final long SMALL_AUDIT_BYTES = 64 << 10;

  private final GivenOptions given;
  private final boolean eventTime;

  private FilterChoice(GivenOptions given, boolean eventTime) {
    this.given = given;
    this.eventTime = eventTime;
  }

  /** Checks which options go together. */
  static FilterChoice of(GivenOptions given) {
    boolean eventTime = given.isGiven("--time");
    for (String option : List.of("--max-time-ahead", "--max-lateness")) {
      if (given.isGiven(option) && !eventTime) {
        throw new IllegalArgumentException(option + " needs --time, the field that has the time");
      }
    }
    if (eventTime && !given.isGiven("--window")) {
      throw new IllegalArgumentException("--time needs --window, such as --window 24h");
    }
    return new FilterChoice(given, eventTime);
  }

  /** Returns whether each record has a time of its own. */
  boolean hasEventTime() {
    return eventTime;
  }

  /** Returns whether the user has asked for an audit. */
  boolean isAudited() {
    return given.isGiven("--audit");
  }

  /** Returns whether keys are hashed with a seed or secret that the user has named. */
  boolean hasSecret() {
    return given.isGiven("--seed") || given.isGiven("--secret-file");
  }

  /** Returns a builder with exactly the options that were given, to continue from a state. */
  GateBuilder given() throws CliException {
    GateBuilder gate = Gate.builder().keyForm(keyForm());
    try {
      for (Parameter<?> parameter : Parameter.all()) {
        set(parameter, gate);
      }
      for (Map.Entry<String, String> option : new TreeMap<>(given.values()).entrySet()) {
        set(option.getKey(), option.getValue(), gate);
      }
      return eventTime ? gate.eventTime() : gate;
    } catch (IllegalArgumentException e) {
      throw CliException.usage(ShellWords.of(e.getMessage()), e);
    }
  }

  private <T> void set(Parameter<T> parameter, GateBuilder gate) {
    parameter
        .option()
        .flatMap(given::text)
        .ifPresent(text -> gate.set(parameter, parameter.parse(text)));
  }

  private static void set(String option, String text, GateBuilder gate) throws CliException {
    switch (option) {
      case "--memory" -> gate.memory(Memory.parse(text));
      case "--kind" -> gate.kind(kind(text));
      case "--no-refresh" -> gate.refresh(Refresh.NEVER);
      case "--refresh" -> gate.refresh(Refresh.ALWAYS);
      case "--hash" -> gate.hash(HashKind.of(text));
      case "--seed" -> gate.seed(seed(text));
      case "--secret-file" -> gate.secret(UserSecret.of(text));
      case "--sharded" -> gate.concurrent();
      case "--audit" -> gate.audit(AuditSpec.parse(text));
      case "--max-time-ahead" -> gate.maxTimeAhead(Parse.duration("max-time-ahead", text));
      case "--max-lateness" -> gate.maxLateness(Parse.duration("max-lateness", text));
      default -> {} // not an option of the filter
    }
  }

  /**
   * Returns a builder for a new filter, with the default memory and a small audit if none is given.
   *
   * @param user whose secret keys are hashed with, if nothing else was given
   */
  GateBuilder complete(Optional<UserSecret> user) throws CliException {
    GateBuilder gate = given();
    if (!given.isGiven("--memory")) {
      gate.memory(Memory.parse(DEFAULT_MEMORY));
    }
    user.ifPresent(one -> gate.secret(one.secret()));
    try {
      boolean time = gate.spec().window().isTime(); // rejects what no filter can be
      if (!isAudited()) {
        gate.audit(smallAudit(gate.spec().memoryBytes()));
      }
      if (eventTime && !time) {
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

  /** Returns how keys are hashed: one field by its bytes, several with their lengths in front. */
  private KeyForm keyForm() {
    String fields = given.text("--key").orElse("");
    boolean one = fields.isEmpty() || KeySpec.of(fields).isOneField();
    String description =
        (fields.isEmpty() ? "the whole record" : "key " + fields)
            + (given.isGiven("--ignore-case") ? ", case ignored" : "")
            + (given.isGiven("--trim") ? ", trimmed" : "");
    return new KeyForm(one ? "bytes" : "fields", description);
  }
}
