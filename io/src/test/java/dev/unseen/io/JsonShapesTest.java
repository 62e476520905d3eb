package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonShapesTest {
  private final JsonShapes shapes = new JsonShapes();

  /** Parses, as it were, a text whose shape is not found. Returns whether it was found. */
  private boolean isFound(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    boolean found = shapes.find(bytes, 0, bytes.length) != null;
    if (!found) {
      shapes.learn(bytes, 0, bytes.length, new int[0]);
    }
    return found;
  }

  private static String text(int shape) {
    return "{\"a%d\":%d}".formatted(shape, shape);
  }

  @Test
  void finds_a_shape_from_its_second_text_on() {
    assertThat(isFound(text(1))).isFalse();
    assertThat(isFound(text(1))).isTrue();
  }

  @Test
  void the_shape_of_most_texts_stays_when_others_come() {
    isFound(text(0));
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      found += isFound(text(i % 10 == 9 ? i : 0)) ? 1 : 0;
    }

    assertThat(found).isEqualTo(900);
  }

  @Test
  void few_shapes_in_turn_are_all_found() {
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      found += isFound(text(i % 3)) ? 1 : 0;
    }

    assertThat(found).isGreaterThan(980);
  }

  @Test
  void texts_of_ever_new_shapes_are_mostly_not_compared_until_they_have_a_shape_again() {
    for (int i = 0; i < 20_000; i++) {
      isFound(text(i));
    }
    int compared = 0;
    for (int i = 0; i < 40_000; i++) {
      compared += isFound(text(0)) ? 1 : 0;
    }

    assertThat(compared).isBetween(20_000, 39_000);
  }
}
