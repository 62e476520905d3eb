package dev.unseen.hash;

import dev.unseen.error.OptionException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/**
 * A key of 128 random bits for the hash of keys. Anyone who does not know the secret cannot compute
 * a hash, and so cannot craft a record that makes the filter drop or forget another one.
 *
 * <p>Filters agree on which keys are equal, and can be merged, only if they have the same secret.
 * It is never printed: {@link #toString} shows a fingerprint, which is equal for equal secrets and
 * reveals nothing else.
 */
public final class Secret {
  private static final int BYTES = 16;
  private static final long FINGERPRINT =
      -1; // differs from all numbers that words are requested for
  private static final long RANDOM_CHOICES = -2;

  private final long key0;
  private final long key1;

  private Secret(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** Draws a random secret. */
  public static Secret random() {
    SecureRandom random = new SecureRandom();
    return new Secret(random.nextLong(), random.nextLong());
  }

  /**
   * Parses a secret of 32 hexadecimal digits, with or without white space around it.
   *
   * @throws OptionException if the text has another form; the message does not show the text
   */
  public static Secret parse(String text) {
    Objects.requireNonNull(text, "text is null; a secret is a text of 32 hexadecimal digits");
    String digits = text.strip().toLowerCase(Locale.ROOT);
    if (digits.length() != 2 * BYTES || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw OptionException.outOfRange(
              "secret",
              "a text of %d characters".formatted(digits.length()),
              "%d hexadecimal digits".formatted(2 * BYTES))
          .remedy("create one with: openssl rand -hex " + BYTES);
    }
    return new Secret(
        HexFormat.fromHexDigitsToLong(digits, 0, BYTES),
        HexFormat.fromHexDigitsToLong(digits, BYTES, 2 * BYTES));
  }

  /**
   * Returns the 32 hexadecimal digits that {@link #parse} reads. Anyone who sees them knows the
   * secret.
   */
  public String digits() {
    return HexFormat.of().toHexDigits(key0) + HexFormat.of().toHexDigits(key1);
  }

  /**
   * Returns 8 hexadecimal digits that are equal for equal secrets, and differ for nearly all
   * others.
   */
  public String fingerprint() {
    return HexFormat.of().toHexDigits(word(FINGERPRINT), 8);
  }

  /**
   * Returns a seed for random choices other than key hashes. The seed does not reveal the secret.
   */
  public long seed() {
    return word(RANDOM_CHOICES);
  }

  /** Returns the word with this number, random to anyone who does not know the secret. */
  long word(long number) {
    return sipHash().hash(number);
  }

  /** Returns SipHash with this key. */
  SipHash sipHash() {
    return new SipHash(key0, key1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && key0 == secret.key0 && key1 == secret.key1;
  }

  @Override
  public int hashCode() {
    return (int) word(FINGERPRINT);
  }

  /** Returns the fingerprint. */
  @Override
  public String toString() {
    return "secret " + fingerprint();
  }
}
