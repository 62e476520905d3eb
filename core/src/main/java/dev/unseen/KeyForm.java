package dev.unseen;

import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;

/**
 * Describes the keys of a deduplicator. A saved state contains the description, so that it is not
 * used for other keys by mistake.
 *
 * @param encoding how a key becomes a hash, such as {@code bytes}; empty if it is not known
 * @param name the user's name for the key, such as {@code order-id}; empty if it has no name
 */
public record KeyForm(String encoding, String name) {
  /** The form of keys of which nothing is known. */
  public static final KeyForm UNKNOWN = new KeyForm("", "");

  /** Rejects a form that a state cannot contain. */
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

  /** Returns whether two forms may describe the same keys: everything that both know is equal. */
  public boolean fits(KeyForm other) {
    return fits(encoding, other.encoding) && fits(name, other.name);
  }

  private static boolean fits(String one, String other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }

  /** Returns what both forms know together. The two forms must fit. */
  KeyForm join(KeyForm other) {
    return new KeyForm(
        encoding.isEmpty() ? other.encoding : encoding, name.isEmpty() ? other.name : name);
  }

  /** Parses the text that a state contains. */
  public static KeyForm of(String text) {
    int blank = text.indexOf(' ');
    return blank < 0
        ? new KeyForm(text, "")
        : new KeyForm(text.substring(0, blank), text.substring(blank + 1));
  }

  /** Returns the text that a state contains. */
  public String text() {
    return name.isEmpty() ? encoding : encoding + " " + name;
  }

  /** Returns a description for people. */
  @Override
  public String toString() {
    if (name.isEmpty()) {
      return encoding.isEmpty() ? "unknown keys" : Print.plain("keys of " + encoding);
    }
    return Print.plain(
        encoding.isEmpty() ? "'" + name + "'" : "'%s' (%s)".formatted(name, encoding));
  }
}
