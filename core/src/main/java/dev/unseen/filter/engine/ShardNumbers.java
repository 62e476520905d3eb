package dev.unseen.filter.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Converts the numbers of shards to text and back, in the form {@code 0-63,90}. */
public final class ShardNumbers {
  private ShardNumbers() {}

  /** Returns the numbers of these shards as text. The shards must be in ascending order. */
  public static String text(List<Integer> shards) {
    List<String> runs = new ArrayList<>();
    for (int i = 0; i < shards.size(); ) {
      int first = shards.get(i);
      int last = first;
      for (i++; i < shards.size() && shards.get(i) == last + 1; i++) {
        last++;
      }
      runs.add(first == last ? Integer.toString(first) : first + "-" + last);
    }
    return runs.isEmpty() ? "none" : String.join(",", runs);
  }

  /** Parses a text that {@link #text} returned. */
  public static int[] parse(String text) {
    if (text.equals("none")) {
      return new int[0];
    }
    if (!text.matches("\\d{1,3}(-\\d{1,3})?(,\\d{1,3}(-\\d{1,3})?){0,127}")) {
      throw new IllegalArgumentException(
          "shards '%s' must be numbers and ranges from 0 to %d, such as 0-63,90"
              .formatted(text, ShardedFilter.SHARDS - 1));
    }
    return numbers(text);
  }

  private static int[] numbers(String text) {
    IntStream.Builder numbers = IntStream.builder();
    for (String run : text.split(",", -1)) {
      int dash = run.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? run : run.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(run.substring(dash + 1));
      IntStream.rangeClosed(first, last).forEach(numbers);
    }
    return numbers.build().distinct().sorted().toArray();
  }
}
