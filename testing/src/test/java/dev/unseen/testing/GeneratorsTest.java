package dev.unseen.testing;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.doubles;
import static dev.unseen.testing.Generators.indexes;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static dev.unseen.testing.Generators.strings;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Edge cases come often, and all else comes too. The seeds are fixed, so there are no odds. */
final class GeneratorsTest {
  private static final int TRIES = 1000; // as a property has, if it says nothing

  private static <T> List<T> values(Generator<T> generator) {
    return LongStream.range(0, TRIES)
        .mapToObj(seed -> Choices.random(seed).draw("value", generator))
        .toList();
  }

  private static <T> Map<T, Long> counts(Generator<T> generator) {
    return values(generator).stream().collect(Collectors.groupingBy(v -> v, Collectors.counting()));
  }

  @Test
  void numbers_have_their_edges_often() {
    Map<Long, Long> longs = counts(longs());
    for (long edge : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1}) {
      assertThat(longs.get(edge)).as("count of %d", edge).isGreaterThan(5);
    }
    Map<Integer, Long> ints = counts(ints());
    for (int edge : new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 0, 1}) {
      assertThat(ints.get(edge)).as("count of %d", edge).isGreaterThan(5);
    }
    Map<Integer, Long> range = counts(ints(16, 5000));
    for (int edge : new int[] {16, 17, 4999, 5000}) {
      assertThat(range.get(edge)).as("count of %d", edge).isGreaterThan(5);
    }
    assertThat(counts(doubles(0.5, 7)).get(0.5)).isGreaterThan(10);
    assertThat(counts(doubles(0.5, 7)).get(7.0)).isGreaterThan(10);
  }

  @Test
  void numbers_are_of_every_size() {
    Map<Integer, Integer> digits = new HashMap<>();
    values(longs())
        .forEach(v -> digits.merge(Long.numberOfLeadingZeros(Math.abs(v)), 1, (a, b) -> a + b));
    assertThat(digits.keySet())
        .containsAll(LongStream.range(1, 64).mapToObj(i -> (int) i).toList());
    assertThat(values(doubles(1, 1e10))).anyMatch(x -> x > 1 && x < 10).anyMatch(x -> x > 9e9);
    assertThat(counts(ints(1, 70)).keySet()).hasSize(70);
    assertThat(counts(bytes()).keySet()).hasSizeGreaterThan(200);
  }

  @Test
  void numbers_stay_in_their_range() {
    assertThat(values(ints(-3, 40))).allMatch(n -> n >= -3 && n <= 40);
    assertThat(values(longs(Long.MAX_VALUE - 3, Long.MAX_VALUE)))
        .allMatch(n -> n > Long.MAX_VALUE - 4);
    assertThat(values(longs(Long.MIN_VALUE, Long.MIN_VALUE + 9)))
        .allMatch(n -> n < Long.MIN_VALUE + 10);
    assertThat(values(longs(-1_000_000, 2_000_000_000_000L))).anyMatch(n -> n < 0);
    assertThat(values(ints(7, 7))).containsOnly(7);
    assertThat(values(doubles(0.05, 1))).allMatch(x -> x >= 0.05 && x <= 1);
  }

  @Test
  void lists_are_empty_or_full_or_of_any_size_between() {
    Map<Integer, Long> sizes =
        values(lists(ints(), 0, 40)).stream()
            .collect(Collectors.groupingBy(List::size, Collectors.counting()));
    assertThat(sizes.keySet()).hasSize(41);
    assertThat(sizes.get(0)).isGreaterThan(20);
    assertThat(sizes.get(1)).isGreaterThan(20);
    assertThat(sizes.get(40)).isGreaterThan(20);
    assertThat(values(lists(ints(), 3, 3))).allMatch(list -> list.size() == 3);
    assertThat(values(byteArrays())).anyMatch(a -> a.length == 0).anyMatch(a -> a.length == 255);
    assertThat(values(byteArrays(bytes(), 1, 8))).allMatch(a -> a.length >= 1 && a.length <= 8);
  }

  @Test
  void texts_have_characters_of_all_lengths_in_utf8_and_are_whole() {
    List<String> texts = values(strings());
    Set<Integer> lengths =
        texts.stream()
            .flatMapToInt(String::codePoints)
            .mapToObj(c -> Character.toString(c).getBytes(StandardCharsets.UTF_8).length)
            .collect(Collectors.toSet());
    assertThat(lengths).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(texts)
        .allMatch(
            text ->
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                    .equals(text))
        .anyMatch(text -> text.indexOf('\0') >= 0)
        .anyMatch(String::isEmpty);
    assertThat(values(strings("ab,", 5))).allMatch(text -> text.matches("[ab,]{0,5}"));
  }

  /** 1000 draws of three: a count has a standard deviation of 15. */
  @Test
  void values_are_equally_frequent() {
    assertThat(counts(oneOf("a", "b", "c")).values()).hasSize(3).allMatch(count -> count > 250);
    assertThat(counts(indexes(3)).values()).hasSize(3).allMatch(count -> count > 250);
    assertThat(counts(booleans()).values()).hasSize(2).allMatch(count -> count > 400);
    assertThat(counts(anyOf(oneOf(1), oneOf(2), ints(3, 3))).values())
        .hasSize(3)
        .allMatch(count -> count > 250);
  }

  @Test
  void equal_choices_give_equal_values() {
    Generator<List<String>> generator = lists(strings(), 0, 9);
    for (long seed = 0; seed < 100; seed++) {
      Choices random = Choices.random(seed);
      List<String> value = random.draw(generator);
      assertThat(Choices.random(seed).draw(generator)).isEqualTo(value);
      assertThat(Choices.replaying(random.values()).draw(generator)).isEqualTo(value);
    }
  }
}
