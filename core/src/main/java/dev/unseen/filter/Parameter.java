package dev.unseen.filter;

import dev.unseen.bits.Cells;
import dev.unseen.error.OptionException;
import dev.unseen.text.Print;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A setting that some kinds of filter have. It is declared once: its name, its range, its default,
 * its text form and its place in files. {@link FilterKind#parameters} lists the parameters of a
 * kind, and {@link FilterSpec#get} returns the value for a filter.
 *
 * <p>For a kind without the parameter the value is neutral, so that specs of equal filters are
 * equal.
 *
 * @param <T> the type of the values
 */
public final class Parameter<T> {
  private static int created; // the number of parameters so far, while the class is initialized

  /**
   * The number of positions of a key, k in the paper. Its range and its default depend on the kind.
   */
  public static final Parameter<Integer> HASHES =
      new Parameter<>("hashes", 1, 1, Wire.U32, 8)
          .words(k -> "k=" + k)
          .limit((k, spec) -> within(k, 1, spec.kind().maxHashes(), " for " + spec.kind().id()));

  /** The number of cells that SBF decrements for each record, P in the paper. */
  public static final Parameter<Integer> DECREMENTS =
      new Parameter<>("decrements", 0, 0, Wire.U32, 32)
          .limit(
              (p, spec) ->
                  within(p, 1, Cells.countIn(spec.words(), spec.get(Parameter.CELL_BITS)), ""));

  /** The number of bits of a cell of SBF, 1 to 4. */
  public static final Parameter<Integer> CELL_BITS =
      new Parameter<>("cellBits", 1, 1, Wire.U32, 28).limit((bits, spec) -> within(bits, 1, 4, ""));

  /** The probability p* of RSBF as printed, below which its third phase begins. */
  public static final Parameter<Double> THRESHOLD =
      new Parameter<>("threshold", 0.0, 0.03, Wire.F64, 36)
          .limit((p, spec) -> p > 0 && p < 1 ? null : "above 0 and below 1");

  /** Whether each of the k hashes of BLOOM has its own share of the bits. */
  public static final Parameter<Boolean> PARTITIONED =
      new Parameter<>("partitioned", true, true, Wire.FLAG, 44);

  /** The largest share of new keys that RECENCY may treat as seen. */
  public static final Parameter<Double> MAX_FPR =
      new Parameter<>("maxFalsePositiveRate", 1.0, FilterSpec.DEFAULT_MAX_FPR, Wire.F64, 60)
          .words(rate -> "(drops at most 1 in %s)".formatted(Print.count(Math.rint(1 / rate))))
          .limit(
              (rate, spec) ->
                  rate >= FilterSpec.MIN_MAX_FPR && rate <= FilterSpec.MAX_MAX_FPR
                      ? null
                      : "1e-9 to 0.01 for recency");

  /** How long a key counts as seen by RECENCY. */
  public static final Parameter<Window> WINDOW =
      new Parameter<>("window", Window.NONE, Window.NONE, Wire.WINDOW, 76)
          .words(window -> window.isNone() ? "" : window.toString());

  /** What a duplicate does to its key in RECENCY. */
  public static final Parameter<Refresh> REFRESH =
      new Parameter<>("refresh", Refresh.ADAPTIVE, Refresh.ADAPTIVE, Wire.REFRESH, 48);

  /** The share of the keys that SAMPLED stores. */
  public static final Parameter<Double> SHARE =
      new Parameter<>("share", 1.0, 0.5, Wire.F64, 68)
          .words(Print::percent)
          .limit((share, spec) -> share > 0 && share <= 1 ? null : "above 0 and at most 1");

  /** All parameters, in the order in which they are checked. */
  private static final List<Parameter<?>> ALL =
      List.of(
          HASHES, CELL_BITS, DECREMENTS, THRESHOLD, PARTITIONED, MAX_FPR, WINDOW, REFRESH, SHARE);

  private final int index = created++;
  private final String name;
  private final T neutral;
  private final T usual;
  private final Wire<T> wire;
  private final int wireAt;
  private Function<T, String> words = value -> "";
  private BiFunction<T, FilterSpec, @Nullable String> limit = (value, spec) -> null;

  private Parameter(String name, T neutral, T usual, Wire<T> wire, int wireAt) {
    this.name = name;
    this.neutral = neutral;
    this.usual = usual;
    this.wire = wire;
    this.wireAt = wireAt;
  }

  private Parameter<T> words(Function<T, String> text) {
    words = text;
    return this;
  }

  private Parameter<T> limit(BiFunction<T, FilterSpec, @Nullable String> check) {
    limit = check;
    return this;
  }

  /** Returns all parameters of all kinds. */
  public static List<Parameter<?>> all() {
    return ALL;
  }

  int index() {
    return index;
  }

  /** Returns the name, as it is in methods and in JSON: {@code maxFalsePositiveRate}. */
  public String name() {
    return name;
  }

  /** Returns the value for kinds that do not have this parameter. */
  public T neutral() {
    return neutral;
  }

  /** Returns the default for this kind of filter. */
  public T usual(FilterKind kind) {
    if (!kind.parameters().contains(this)) {
      return neutral;
    }
    return this == HASHES ? cast(kind.defaultHashes()) : usual;
  }

  @SuppressWarnings("unchecked") // only values of this parameter come here
  private T cast(Object value) {
    return (T) value;
  }

  /** Returns the value for descriptions, such as {@code k=2}; empty if it is not worth showing. */
  String describe(FilterSpec spec) {
    return words.apply(spec.get(this));
  }

  /** Rejects a value that the kind of the spec cannot have. */
  void require(FilterSpec spec) {
    T value = spec.get(this);
    boolean owned = spec.kind().parameters().contains(this);
    if (!owned && !value.equals(neutral)) {
      throw OptionException.outOfRange(
              name, shown(value), "left out for %s".formatted(spec.kind().id()))
          .remedy("it is only for kind " + owners());
    }
    String must = owned ? limit.apply(value, spec) : null;
    if (must != null) {
      throw OptionException.outOfRange(name, shown(value), must);
    }
  }

  private String shown(T value) {
    String text = value instanceof Double number ? Print.share(number) : value.toString();
    return text.startsWith(name + " ") ? text.substring(name.length() + 1) : text; // window 1h
  }

  private String owners() {
    return Arrays.stream(FilterKind.values())
        .filter(kind -> kind.parameters().contains(this))
        .map(FilterKind::id)
        .collect(Collectors.joining(" or "));
  }

  /** Returns a value in the form in which people write it. */
  public String text(T value) {
    if (value instanceof Window window && window.isNone()) {
      return "none";
    }
    if (value instanceof Double number) {
      boolean whole = number == Math.rint(number);
      return whole ? Long.toString(number.longValue()) : Print.share(number);
    }
    return value.toString().toLowerCase(Locale.ROOT);
  }

  void write(FilterSpec spec, ByteBuffer to, int at) {
    wire.writer().put(to, at + wireAt, spec.get(this));
  }

  T read(ByteBuffer from, int at) {
    return wire.reader().get(name, from, at + wireAt);
  }

  @Override
  public String toString() {
    return name;
  }

  private static @Nullable String within(long value, long min, long max, String suffix) {
    return value >= min && value <= max ? null : min + (min == max ? "" : " to " + max) + suffix;
  }

  @FunctionalInterface
  private interface Writer<T> {
    void put(ByteBuffer to, int at, T value);
  }

  @FunctionalInterface
  private interface Reader<T> {
    T get(String name, ByteBuffer from, int at);
  }

  /** The form of a value in files: see {@code docs/snapshot-format.md}. */
  private record Wire<T>(Writer<T> writer, Reader<T> reader) {
    static final Wire<Integer> U32 =
        new Wire<>(ByteBuffer::putInt, (name, from, at) -> from.getInt(at));

    static final Wire<Double> F64 =
        new Wire<>(ByteBuffer::putDouble, (name, from, at) -> from.getDouble(at));

    static final Wire<Boolean> FLAG =
        new Wire<>(
            (to, at, value) -> to.putInt(at, value ? 1 : 0),
            (name, from, at) -> oneOf(name, from.getInt(at), 0, 1) == 1);

    static final Wire<Refresh> REFRESH =
        new Wire<>(
            (to, at, value) -> to.putInt(at, value.wireId()),
            (name, from, at) -> Refresh.ofWireId(from.getInt(at)));

    /** The length, then the unit (0 none, 1 records, 2 milliseconds), a zero, and the lateness. */
    static final Wire<Window> WINDOW =
        new Wire<>(Wire::putWindow, (name, from, at) -> getWindow(from, at));

    private static final int UNIT = Long.BYTES;
    private static final int ZERO = UNIT + Integer.BYTES;
    private static final int LATENESS = ZERO + Integer.BYTES;

    private static void putWindow(ByteBuffer to, int at, Window value) {
      to.putLong(at, value.length());
      to.putInt(at + UNIT, value.isNone() ? 0 : value.isTime() ? 2 : 1);
      to.putInt(at + ZERO, 0);
      to.putLong(at + LATENESS, value.lateness());
    }

    private static Window getWindow(ByteBuffer from, int at) {
      oneOf("a number that is not used", from.getInt(at + ZERO), 0, 0);
      long length = from.getLong(at);
      return switch (oneOf("unit of the window", from.getInt(at + UNIT), 0, 2)) {
        case 1 -> Window.records(length);
        case 2 -> new Window(length, Window.Unit.MILLISECONDS, from.getLong(at + LATENESS));
        default -> Window.NONE;
      };
    }

    private static int oneOf(String name, int value, int min, int max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            "%s (%d) must be %d to %d".formatted(name, value, min, max));
      }
      return value;
    }
  }
}
