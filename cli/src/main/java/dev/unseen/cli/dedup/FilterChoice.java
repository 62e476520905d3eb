package dev.unseen.cli.dedup;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.LateRecords;
import dev.unseen.Option;
import dev.unseen.audit.AuditSpec;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.io.KeySpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The filter that the options ask for. No other class of the shell builds a gate.
 *
 * @param config the options of the gate that were given
 * @param refresh whether a duplicate renews its key; empty if it was not given
 * @param secretFile the file of the secret; empty if none was named
 * @param late what happens to records that are too late to be checked
 * @param hasEventTime whether each record has an event time
 * @param keyForm how keys are hashed
 */
record FilterChoice(
    GateConfig config,
    Optional<Refresh> refresh,
    Optional<String> secretFile,
    LateRecords late,
    boolean hasEventTime,
    KeyForm keyForm) {
  static final String DEFAULT_MEMORY = "64M";

  /** Chooses the filter for a stream of which nothing is known: {@link FilterKind#RECENCY}. */
  static final String AUTO = "auto";

  /** Every run audits one key in this many at first, and fewer as keys come. */
  private static final int SMALL_AUDIT_ONE_IN = 16;

  private static final long SMALL_AUDIT_BYTES = 64 << 10;

  private static final List<Option<?>> OPTIONS =
      List.of(
          Option.MEMORY,
          Option.KIND,
          Option.MAX_FPR,
          Option.WINDOW,
          Option.MAX_LATENESS,
          Option.MAX_TIME_AHEAD,
          Option.HASHES,
          Option.SHARE,
          Option.HASH,
          Option.SEED,
          Option.CONCURRENT,
          Option.AUDIT,
          Option.ON_CHANGE);

  /** Checks which options go together. */
  static FilterChoice of(GivenOptions given) {
    boolean eventTime = given.isGiven("--time");
    for (String option : List.of("--max-time-ahead", "--max-lateness", "--late")) {
      if (given.isGiven(option) && !eventTime) {
        throw new IllegalArgumentException(option + " needs --time, the field that has the time");
      }
    }
    if (eventTime && !given.isGiven("--window")) {
      throw new IllegalArgumentException("--time needs --window, such as --window 24h");
    }
    Refresh refresh = given.isGiven("--refresh") ? Refresh.ALWAYS : null;
    return new FilterChoice(
        GateArguments.config(name -> given.text(name).map(text -> kindOrText(name, text)), OPTIONS),
        Optional.ofNullable(
            refresh == null && given.isGiven("--no-refresh") ? Refresh.NEVER : refresh),
        given.text("--secret-file"),
        given.text("--late").map(Option.LATE_RECORDS::parse).orElse(LateRecords.ADMIT),
        eventTime,
        keyForm(given));
  }

  boolean isAudited() {
    return config.has(Option.AUDIT);
  }

  /** Returns whether keys are hashed with a seed or secret that the user has named. */
  boolean hasSecret() {
    return config.has(Option.SEED) || secretFile.isPresent();
  }

  private static String kindOrText(String option, String text) {
    if (!option.equals("--kind")) {
      return text;
    }
    if (!Dedup.kinds().contains(text.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "--kind '%s' is unknown; known: %s".formatted(text, String.join(", ", Dedup.kinds())));
    }
    return text.equalsIgnoreCase(AUTO) ? FilterKind.RECENCY.id() : text;
  }

  /** Returns a builder with exactly the options that were given, to continue from a state. */
  GateBuilder given() throws CliException {
    GateBuilder gate = Gate.builder().keyForm(keyForm).rehashing().config(config);
    refresh.ifPresent(gate::refresh);
    if (secretFile.isPresent()) {
      gate.secret(UserSecret.of(secretFile.get()));
    }
    if (late == LateRecords.DROP) { // for FAIL the run itself fails, and names the line
      gate.lateRecords(LateRecords.DROP);
    }
    return hasEventTime ? gate.eventTime() : gate;
  }

  /**
   * Returns a builder for a new filter, with the default memory and a small audit if none is given.
   *
   * @param user whose secret keys are hashed with, if nothing else was given
   */
  GateBuilder complete(Optional<UserSecret> user) throws CliException {
    GateBuilder gate = given();
    if (!config.has(Option.MEMORY)) {
      gate.set(Option.MEMORY, Option.MEMORY.parse(DEFAULT_MEMORY));
    }
    user.ifPresent(one -> gate.secret(one.secret()));
    FilterSpec spec = gate.spec(); // rejects what no filter can be
    requireRate(gate.config(), spec.kind());
    if (!isAudited()) {
      gate.audit(smallAudit(spec.memoryBytes()));
    }
    if (hasEventTime && !spec.window().isTime()) {
      throw new IllegalArgumentException("--time needs a window of time, such as --window 24h");
    }
    return gate;
  }

  /** Rejects a rate that the kind of filter does not guarantee. */
  private static void requireRate(GateConfig config, FilterKind kind) {
    if (config.has(Option.MAX_FPR) && !kind.parameters().contains(Parameter.MAX_FPR)) {
      throw OptionException.outOfRange(
              Option.MAX_FPR.name(),
              Option.MAX_FPR.print(config.get(Option.MAX_FPR).orElseThrow()),
              "left out for " + kind.id())
          .remedy("it is only for kind recency");
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

  /** Returns how keys are hashed: one field by its bytes, several with their lengths in front. */
  private static KeyForm keyForm(GivenOptions given) {
    String fields = given.text("--key").orElse("");
    boolean one = fields.isEmpty() || KeySpec.of(fields).isOneField();
    String description =
        (fields.isEmpty() ? "the whole record" : "key " + fields)
            + (given.isGiven("--ignore-case") ? ", case ignored" : "")
            + (given.isGiven("--trim") ? ", trimmed" : "");
    return new KeyForm(one ? "bytes" : "fields", description);
  }
}
