package dev.unseen.spring.idempotent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A hash that two different requests, or keys, do not have in common: SHA-256. */
final class Fingerprint {
  private final MessageDigest digest;

  Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Returns the hash of texts. */
  static String of(List<String> texts) {
    return new Fingerprint().add(texts).hex();
  }

  Fingerprint add(List<String> texts) {
    digest.update(KeyText.join(texts).getBytes(UTF_8));
    return this;
  }

  void add(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
  }

  void add(ByteBuffer bytes) {
    digest.update(bytes);
  }

  /** Returns the hash, once. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
