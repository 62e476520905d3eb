package dev.unseen;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.audit.AuditSpec;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An option of a gate. Each is declared here once: its name, its type, its range, and one line of
 * help. Builders, the command line, configuration properties and the server's commands refer to it;
 * none of them parses, checks or describes a value again.
 *
 * @param <T> the type of the values
 */
public final class Option<T> {
  private static final List<Option<?>> ALL = new ArrayList<>();

  /** The memory of the filter in bytes. */
  public static final Option<Long> MEMORY =
      new Option<>(
              "memory",
              Type.BYTES,
              "Use this much memory for the filter, and never more: 512K, 64M, 8G.")
          .range(
              bytes -> bytes >= FilterSpec.MIN_MEMORY_BYTES && bytes <= FilterSpec.MAX_MEMORY_BYTES,
              "64 bytes to 16 TiB");

  /** The number of distinct keys to hold at one time. */
  public static final Option<Long> EXPECTED_KEYS =
      new Option<>(
              "expectedKeys",
              Type.COUNT,
              "Hold this many keys at one time, which sets the memory if it is not set: 1M.")
          .range(keys -> keys >= 1, "at least 1");

  /** The largest share of new records that may be dropped by mistake. */
  public static final Option<Double> MAX_FPR =
      new Option<>(
              "maxFalsePositiveRate",
              Type.SHARE,
              "Drop at most this share of new records by mistake, 1e-9 to 0.01.")
          .range(rate -> rate > 0 && rate < 1, "above 0 and below 1");

  /** How long a key counts as seen. */
  public static final Option<Window> WINDOW =
      new Option<>(
          "window",
          Type.WINDOW,
          "Forget a key after this time or this many records: 24h or 10M. Time is in ms, s, m, h or"
              + " d, records in K, M or G.");

  /** Whether a window of time uses the times that come with the records. */
  public static final Option<Boolean> EVENT_TIME =
      new Option<>("eventTime", Type.FLAG, "Use the records' own times for a window of time.")
          .atRuntime();

  /** By how much a record may be late. */
  public static final Option<Duration> MAX_LATENESS =
      new Option<>("maxLateness", Type.DURATION, "Check records that are up to this late.")
          .range(Option::isPositive, "at least 1 ms");

  /** What happens to a record that is later than that. */
  public static final Option<LateRecords> LATE_RECORDS =
      new Option<>(
              "lateRecords",
              Type.choice(LateRecords.class, "POLICY"),
              "Choose what happens to a record that is too late to check: admit lets it through,"
                  + " drop leaves it out, fail ends the run.")
          .atRuntime();

  /** How much later than its arrival the time of a record may be. */
  public static final Option<Duration> MAX_TIME_AHEAD =
      new Option<>(
              "maxTimeAhead", Type.DURATION, "Do not use times further than this in the future.")
          .range(Option::isPositive, "at least 1 ms")
          .atRuntime();

  /** How much later than the latest time before it the time of a record may be. */
  public static final Option<Duration> MAX_TIME_JUMP =
      new Option<>(
              "maxTimeJump",
              Type.DURATION,
              "Do not use times later than the latest one by more than this.")
          .range(Option::isPositive, "at least 1 ms")
          .atRuntime();

  /** What a duplicate does to its key. */
  public static final Option<Refresh> REFRESH =
      new Option<>(
              "refresh",
              Type.choice(Refresh.class, "WHEN"),
              "Count the age of a key from its latest record: adaptive, always or never.")
          .of(Parameter.REFRESH);

  /** The kind of filter. */
  public static final Option<FilterKind> KIND =
      new Option<>("kind", Type.choice(FilterKind.class, "KIND"), "Use this kind of filter.");

  /** The number of positions of a key, k in the paper. */
  public static final Option<Integer> HASHES =
      new Option<>("hashes", Type.NUMBER, "Give each key this many places in the filter, 1 to 32.")
          .range(k -> k >= 1, "at least 1")
          .of(Parameter.HASHES);

  /** The share of the keys that SAMPLED stores. */
  public static final Option<Double> SHARE =
      new Option<>(
              "share",
              Type.SHARE,
              "Store only this share of the keys, above 0 and at most 1; for kind sampled.")
          .of(Parameter.SHARE);

  /** The number of cells that SBF decrements for each record, P in the paper. */
  public static final Option<Integer> DECREMENTS =
      new Option<>("decrements", Type.NUMBER, "Decrement this many cells per record; for kind sbf.")
          .of(Parameter.DECREMENTS);

  /** The number of bits of a cell of SBF. */
  public static final Option<Integer> CELL_BITS =
      new Option<>("cellBits", Type.NUMBER, "Give each cell this many bits, 1 to 4; for kind sbf.")
          .of(Parameter.CELL_BITS);

  /** The probability p* of RSBF, below which its third phase begins. */
  public static final Option<Double> THRESHOLD =
      new Option<>(
              "threshold", Type.SHARE, "Start the last phase of kind rsbf at this probability.")
          .of(Parameter.THRESHOLD);

  /** Whether each of the k hashes of BLOOM has its own share of the bits. */
  public static final Option<Boolean> PARTITIONED =
      new Option<>("partitioned", Type.FLAG, "Give each hash its own bits; for kind bloom.")
          .of(Parameter.PARTITIONED);

  /** How keys are hashed. */
  public static final Option<HashKind> HASH =
      new Option<>(
          "hash",
          Type.choice(HashKind.class, "HASH"),
          "Hash keys with xxh3 or siphash. siphash is for strangers who send millions of keys and"
              + " see what becomes of each.");

  /** The secret that keys are hashed with. */
  public static final Option<Secret> SECRET =
      new Option<>("secret", Type.SECRET, "Hash keys with this secret of 32 hexadecimal digits.");

  /** A public seed in place of a secret. */
  public static final Option<Long> SEED =
      new Option<>(
          "seed",
          Type.SEED,
          "Hash keys with this public seed instead of a secret, so that the same input gives the"
              + " same output anywhere.");

  /** The share of the keys that an audit follows. */
  public static final Option<AuditSpec> AUDIT =
      new Option<>(
          "audit",
          Type.AUDIT,
          "Measure the error rates on this share of the keys, such as 1/1024.");

  /** Whether any number of threads may use the gate. */
  public static final Option<Boolean> CONCURRENT =
      new Option<>("concurrent", Type.FLAG, "Let any number of threads use the filter.");

  /** The time after which a reservation ends automatically. */
  public static final Option<Duration> RESERVATION_TIMEOUT =
      new Option<>("reservationTimeout", Type.DURATION, "End a reservation after this time.")
          .range(Option::isPositive, "at least 1 ms")
          .atRuntime();

  /** The number of keys that may be reserved at one time. */
  public static final Option<Integer> MAX_RESERVATIONS =
      new Option<>("maxReservations", Type.NUMBER, "Reserve at most this many keys at one time.")
          .range(most -> most >= 1, "at least 1")
          .atRuntime();

  /** What happens if options differ from those of a saved state. */
  public static final Option<OnChange> ON_CHANGE =
      new Option<>(
              "onChange",
              Type.choice(OnChange.class, "ACTION"),
              "Choose what happens if options differ from those of the state: reject them, or grow:"
                  + " start a filter with the new options and consult the saved one until its keys"
                  + " cannot matter.")
          .atRuntime();

  /** The time after which a filter that was replaced is dropped at the latest. */
  public static final Option<Duration> MAX_HANDOVER =
      new Option<>(
              "maxHandover",
              Type.DURATION,
              "Drop the filter from before a change of options after this time at the latest.")
          .range(Option::isPositive, "at least 1 ms")
          .atRuntime();

  private final String name;
  private final Type<T> type;
  private final String help;
  private Predicate<T> check = value -> true;
  private String allowed = "";
  private @Nullable Parameter<T> parameter; // null: it is not a parameter of a kind
  private boolean runtime; // whether it is set on every startup

  private Option(String name, Type<T> type, String help) {
    this.name = name;
    this.type = type;
    this.help = help;
    ALL.add(this);
  }

  private Option<T> range(Predicate<T> holds, String text) {
    check = holds;
    allowed = text;
    return this;
  }

  private Option<T> of(Parameter<T> ofKind) {
    parameter = ofKind;
    return this;
  }

  private Option<T> atRuntime() {
    runtime = true;
    return this;
  }

  private static boolean isPositive(Duration time) {
    return time.compareTo(Duration.ofMillis(1)) >= 0;
  }

  /** Returns all options. */
  public static List<Option<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** Returns the option with this name, as in Java or with hyphens: {@code max-lateness}. */
  public static Optional<Option<?>> named(String name) {
    for (Option<?> option : ALL) {
      if (option.name.equals(name) || option.hyphenated().equals(name)) {
        return Optional.of(option);
      }
    }
    return Optional.empty();
  }

  /** Returns the name, as it is in Java: {@code maxLateness}. */
  public String name() {
    return name;
  }

  /** Returns the name as it is in properties and on command lines: {@code max-lateness}. */
  public String hyphenated() {
    return hyphenated(name);
  }

  /** Returns a name of Java as it is in properties and on command lines. */
  public static String hyphenated(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** Returns one line that says what the option does. */
  public String help() {
    return help;
  }

  /** Returns what stands for the value in help texts: {@code SIZE}. */
  public String placeholder() {
    return type.placeholder;
  }

  /** Returns the values if they can be listed. */
  public List<String> choices() {
    return type.choices;
  }

  /** Returns the parameter of a kind of filter that this option sets, if it sets one. */
  public Optional<Parameter<T>> parameter() {
    return Optional.ofNullable(parameter);
  }

  /** Returns whether the option is set on every startup, because a saved state does not set it. */
  public boolean isRuntime() {
    return runtime;
  }

  /** Returns whether the option has no value other than yes and no. */
  public boolean isFlag() {
    return type.of == Boolean.class;
  }

  /**
   * Reads a value.
   *
   * @throws OptionException if the text has another form, or the value is out of range
   */
  public T parse(String text) {
    return require(type.parse.apply(name, text.strip()));
  }

  /** Returns the text of a value that {@link #parse} reads. The text of a secret is secret. */
  public String print(T value) {
    return type.print.apply(value);
  }

  /**
   * Returns a value that is in range.
   *
   * @throws OptionException if it is not
   */
  T require(T value) {
    if (value == null) {
      throw new NullPointerException(name + " is null; leave it out for the default");
    }
    if (!check.test(value)) {
      throw OptionException.outOfRange(name, shown(value), allowed);
    }
    return value;
  }

  /** Returns the text of a value for people, which does not show a secret. */
  String shown(T value) {
    if (value instanceof Long bytes && this == MEMORY) {
      return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
    return value instanceof Secret ? value.toString() : print(value);
  }

  /** Returns this value as one of this option's type. */
  T cast(Object value) {
    return type.of.cast(value);
  }

  @Override
  public String toString() {
    return name;
  }

  /** How values of a type are read, given the option's name, written, and shown in help texts. */
  private record Type<T>(
      Class<T> of,
      BiFunction<String, String, T> parse,
      Function<T, String> print,
      String placeholder,
      List<String> choices) {
    static final Type<Long> BYTES = new Type<>(Long.class, Parse::size, Print::size, "SIZE");
    static final Type<Long> COUNT = new Type<>(Long.class, Parse::count, String::valueOf, "N");
    static final Type<Long> SEED = new Type<>(Long.class, Parse::number, String::valueOf, "N");
    static final Type<Integer> NUMBER =
        new Type<>(Integer.class, Parse::integer, String::valueOf, "N");
    static final Type<Double> SHARE = new Type<>(Double.class, Parse::share, Print::share, "SHARE");
    static final Type<Duration> DURATION =
        new Type<>(Duration.class, Parse::duration, Print::duration, "TIME");
    static final Type<Window> WINDOW =
        new Type<>(Window.class, (name, text) -> Window.parse(text), Window::text, "SPAN");
    static final Type<Boolean> FLAG =
        new Type<>(Boolean.class, Parse::flag, String::valueOf, "true|false");
    static final Type<Secret> SECRET =
        new Type<>(Secret.class, (name, text) -> Secret.parse(text), Secret::digits, "DIGITS");
    static final Type<AuditSpec> AUDIT =
        new Type<>(AuditSpec.class, (name, text) -> AuditSpec.parse(text), AuditSpec::text, "1/N");

    Type(
        Class<T> of,
        BiFunction<String, String, T> parse,
        Function<T, String> print,
        String placeholder) {
      this(of, parse, print, placeholder, List.of());
    }

    static <E extends Enum<E>> Type<E> choice(Class<E> of, String placeholder) {
      return new Type<>(
          of,
          (name, text) -> Parse.choice(name, text, of),
          value -> value.name().toLowerCase(Locale.ROOT),
          placeholder,
          Arrays.stream(of.getEnumConstants())
              .map(value -> value.name().toLowerCase(Locale.ROOT))
              .toList());
    }
  }
}
