package dev.unseen;

import dev.unseen.error.OptionException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The options that were set for a gate: an immutable value that can be written as text, sent to
 * other processes, and given to a builder. Values are checked when they are set; whether they fit
 * together is checked when a gate is built.
 */
public final class GateConfig implements Serializable {
  /** No option is set. */
  public static final GateConfig EMPTY = new GateConfig(Map.of());

  private static final long serialVersionUID = 1L;

  private final transient Map<Option<?>, Object> values;

  private GateConfig(Map<Option<?>, Object> values) {
    this.values = values;
  }

  /**
   * Returns a copy with this option set.
   *
   * @throws OptionException if the value is out of range
   */
  public <T> GateConfig with(Option<T> option, T value) {
    Map<Option<?>, Object> more = new LinkedHashMap<>(values);
    more.put(option, option.require(value));
    return new GateConfig(more);
  }

  /**
   * Returns a copy with this option set to a value that is read from text.
   *
   * @throws OptionException if the text has another form, or the value is out of range
   */
  public <T> GateConfig withText(Option<T> option, String text) {
    return with(option, option.parse(text));
  }

  /** Returns a copy in which this option is not set. */
  public GateConfig without(Option<?> option) {
    Map<Option<?>, Object> fewer = new LinkedHashMap<>(values);
    fewer.remove(option);
    return new GateConfig(fewer);
  }

  /** Returns a copy with all options of another one, which take precedence. */
  public GateConfig with(GateConfig other) {
    Map<Option<?>, Object> more = new LinkedHashMap<>(values);
    more.putAll(other.values);
    return new GateConfig(more);
  }

  /** Returns the value of an option, if it is set. */
  public <T> Optional<T> get(Option<T> option) {
    return Optional.ofNullable(values.get(option)).map(option::cast);
  }

  /** Returns the value of an option, or another value if it is not set. */
  public <T> T get(Option<T> option, T otherwise) {
    Object value = values.get(option);
    return value == null ? otherwise : option.cast(value);
  }

  /** Returns whether an option is set. */
  public boolean has(Option<?> option) {
    return values.containsKey(option);
  }

  boolean is(Option<Boolean> flag) {
    return get(flag, false);
  }

  /** Returns a copy with only the options that no saved state contains. */
  public GateConfig runtime() {
    Map<Option<?>, Object> some = new LinkedHashMap<>(values);
    some.keySet().removeIf(option -> !option.isRuntime());
    return new GateConfig(some);
  }

  /**
   * Returns the names of the options that are set, and their values as text. {@link #parse} reads
   * them. The secret is among them.
   */
  public Map<String, String> text() {
    Map<String, String> text = new LinkedHashMap<>();
    values.keySet().forEach(option -> text.put(option.name(), print(option)));
    return text;
  }

  private <T> String print(Option<T> option) {
    return option.print(get(option).orElseThrow());
  }

  private <T> String shown(Option<T> option) {
    return option.shown(get(option).orElseThrow());
  }

  /**
   * Reads options by their names, as in Java or with hyphens.
   *
   * @throws OptionException if a value cannot be used
   * @throws IllegalArgumentException if there is no option with one of the names
   */
  public static GateConfig parse(Map<String, String> text) {
    GateConfig config = EMPTY;
    for (Map.Entry<String, String> entry : text.entrySet()) {
      Option<?> option =
          Option.named(entry.getKey())
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          String.format(
                              Locale.ROOT,
                              "option '%s' is unknown; known: %s",
                              entry.getKey(),
                              Option.all())));
      config = config.withText(option, entry.getValue());
    }
    return config;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GateConfig config && values.equals(config.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values);
  }

  /** Returns the options that are set. A secret is not shown. */
  @Override
  public String toString() {
    return values.keySet().stream()
        .map(option -> option.name() + "=" + shown(option))
        .collect(Collectors.joining(", "));
  }

  @Serial
  private Object writeReplace() {
    return new Text(new LinkedHashMap<>(text()));
  }

  @Serial
  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw new InvalidObjectException("options are serialized as text");
  }

  /** What happens if the options of a gate differ from those that its state was saved with. */
  public enum OnChange {
    /** Loading fails with a message that names the options. This is the default. */
    REJECT,

    /**
     * The gate starts a filter with the new options, and consults the saved one until nothing that
     * it knows can matter: until the window has passed, or, without a window, until as many new
     * keys have been admitted as the saved filter holds.
     */
    GROW
  }

  /** The serialized form. */
  private record Text(LinkedHashMap<String, String> text) implements Serializable {
    @Serial
    private Object readResolve() {
      return GateConfig.parse(text);
    }
  }
}
