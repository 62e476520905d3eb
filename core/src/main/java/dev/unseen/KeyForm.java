package dev.unseen;

import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;

/**
 * What the keys of a deduplicator are, as a saved state remembers it, so that the state is not used
 * for other keys by mistake.
 *
 * @param encoding how a key becomes a hash, such as {@code bytes}; empty if it is not known
 * @param name what the key is to its user, such as {@code order-id}; empty if it has no name
 */
public record KeyForm(String encoding, String name) {
  /** Nothing is known. */
  public static final KeyForm UNKNOWN = new KeyForm("", "");

  /** Refuses what a state cannot remember. */
  public KeyForm {
    if (encoding.indexOf(' ') >= 0) {
      throw new IllegalArgumentException(
          "encoding '%s' must not contain a blank".formatted(encoding));
    }
    int most = Math.max(0, Snapshot.MAX_KEY_FORM - encoding.length() - 1);
    if (name.length() > most) {
      throw new IllegalArgumentException(
          "the name of a key (%,d characters) must have at most %,d"
              .formatted(name.length(), most));
    }
  }

  /** Returns this form with a name. */
  public KeyForm named(String newName) {
    return new KeyForm(encoding, newName);
  }

  /** Returns whether two forms may be of the same keys: what both know is equal. */
  public boolean fits(KeyForm other) {
    return fits(encoding, other.encoding) && fits(name, other.name);
  }

  private static boolean fits(String one, String other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }

  /** Returns what both forms know together; they have to fit. */
  KeyForm join(KeyForm other) {
    return new KeyForm(
        encoding.isEmpty() ? other.encoding : encoding, name.isEmpty() ? other.name : name);
  }

  /** Reads the text that a state keeps. */
  public static KeyForm of(String text) {
    int blank = text.indexOf(' ');
    return blank < 0
        ? new KeyForm(text, "")
        : new KeyForm(text.substring(0, blank), text.substring(blank + 1));
  }

  /** Returns the text that a state keeps. */
  public String text() {
    return name.isEmpty() ? encoding : encoding + " " + name;
  }

  /** Describes it for people. */
  @Override
  public String toString() {
    if (name.isEmpty()) {
      return encoding.isEmpty() ? "unknown keys" : Print.plain("keys of " + encoding);
    }
    return Print.plain(
        encoding.isEmpty() ? "'" + name + "'" : "'%s' (%s)".formatted(name, encoding));
  }
}
