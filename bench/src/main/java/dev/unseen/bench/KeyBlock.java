package dev.unseen.bench;

import dev.unseen.hash.Hash64;

/** Keys that were made before the time is taken: numbers, or texts of 32 bytes made from them. */
final class KeyBlock {
  /** The number of bytes of a key that is not a number. */
  static final int TEXT_BYTES = 32;

  private final long[] numbers;
  private final byte[] texts; // null if the keys are numbers

  KeyBlock(int length, boolean texts) {
    this.numbers = new long[length];
    this.texts = texts ? new byte[length * TEXT_BYTES] : null;
  }

  int length() {
    return numbers.length;
  }

  long number(int i) {
    return numbers[i];
  }

  long hash(Hash64 hash, int i) {
    return texts == null ? hash.hash(numbers[i]) : hash.hash(texts, i * TEXT_BYTES, TEXT_BYTES);
  }

  /** Fills the block with the next keys of a stream, or with new ones only. */
  void fill(KeyStream stream, boolean onlyNew) {
    if (onlyNew) {
      stream.nextFresh(numbers);
    } else {
      stream.next(numbers);
    }
    for (int i = 0; texts != null && i < numbers.length; i++) {
      for (int j = 0; j < TEXT_BYTES; j++) {
        int digit = (int) (numbers[i] >>> (2 * j)) & 15;
        texts[i * TEXT_BYTES + j] = (byte) Character.forDigit(digit, 16);
      }
    }
  }
}
