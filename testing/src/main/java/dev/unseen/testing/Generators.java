package dev.unseen.testing;

import java.util.ArrayList;
import java.util.List;

/** Generators of plain values. Bounds are part of the range; edge cases are frequent. */
public final class Generators {
  private static final int USUAL_MAX_SIZE = 255;
  private static final long STEPS = 1L << 53; // of doubles between two bounds
  private static final int SURROGATES = Character.MAX_SURROGATE + 1 - Character.MIN_SURROGATE;

  private Generators() {}

  public static Generator<Integer> ints() {
    return ints(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  public static Generator<Integer> ints(int min, int max) {
    return choices -> (int) choices.number(min, max);
  }

  /** Generates the ints from 0 to below a bound, all equally likely. */
  public static Generator<Integer> indexes(int bound) {
    return choices -> choices.index(bound);
  }

  public static Generator<Long> longs() {
    return longs(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  public static Generator<Long> longs(long min, long max) {
    return choices -> choices.number(min, max);
  }

  /** Generates doubles of a range, many of them near its lower bound. */
  public static Generator<Double> doubles(double min, double max) {
    return choices -> {
      double share = (double) choices.number(0, STEPS) / STEPS;
      return share == 1 ? max : Math.min(max, min + share * (max - min));
    };
  }

  public static Generator<Boolean> booleans() {
    return oneOf(false, true);
  }

  public static Generator<Byte> bytes() {
    return choices -> (byte) choices.number(Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  public static Generator<byte[]> byteArrays() {
    return byteArrays(bytes(), 0, USUAL_MAX_SIZE);
  }

  public static Generator<byte[]> byteArrays(Generator<Byte> bytes, int minSize, int maxSize) {
    return choices -> {
      List<Byte> list = choices.draw(lists(bytes, minSize, maxSize));
      byte[] array = new byte[list.size()];
      for (int i = 0; i < array.length; i++) {
        array[i] = list.get(i);
      }
      return array;
    };
  }

  /** Generates texts of up to 255 characters, of all of Unicode. */
  public static Generator<String> strings() {
    return choices -> {
      StringBuilder text = new StringBuilder();
      choices.draw(lists(codePoints(), 0, USUAL_MAX_SIZE)).forEach(text::appendCodePoint);
      return text.toString();
    };
  }

  /** Generates characters, a third of them ASCII, but no half of a surrogate pair. */
  private static Generator<Integer> codePoints() {
    return anyOf(
        codePoints(0x80),
        codePoints(Character.MIN_SUPPLEMENTARY_CODE_POINT - SURROGATES),
        codePoints(Character.MAX_CODE_POINT + 1 - SURROGATES));
  }

  /** Generates some of the first characters, a multiple of 128; the simplest is an 'a'. */
  private static Generator<Integer> codePoints(int count) {
    return choices -> {
      int point = (int) choices.number(0, count - 1) ^ 'a';
      return point < Character.MIN_SURROGATE ? point : point + SURROGATES;
    };
  }

  /** Generates texts of these characters. A character that is given twice comes twice as often. */
  public static Generator<String> strings(String characters, int maxLength) {
    return choices -> {
      StringBuilder text = new StringBuilder();
      Generator<Character> any = inner -> characters.charAt(inner.index(characters.length()));
      choices.draw(lists(any, 0, maxLength)).forEach(text::append);
      return text.toString();
    };
  }

  public static <T> Generator<List<T>> lists(Generator<T> elements, int minSize, int maxSize) {
    return choices -> {
      List<T> list = new ArrayList<>();
      int aim = choices.aim(minSize, maxSize);
      while (choices.more(list.size(), minSize, maxSize, aim)) {
        list.add(choices.draw(elements));
      }
      return list;
    };
  }

  /** Generates these values, all equally likely. The first is the simplest. */
  @SafeVarargs
  public static <T> Generator<T> oneOf(T... values) {
    return choices -> values[choices.index(values.length)];
  }

  /** Generates the values of these generators, all equally likely. The first is the simplest. */
  @SafeVarargs
  public static <T> Generator<T> anyOf(Generator<? extends T>... generators) {
    return choices -> choices.draw(generators[choices.index(generators.length)]);
  }
}
