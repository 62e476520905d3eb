package dev.unseen.testing;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** What JUnit makes of a property that holds and of one that does not. */
final class PropertyTest {
  private static final List<List<Long>> TRIED = new ArrayList<>();

  /** Run by the tests below only. */
  static final class Samples {
    @Property(tries = 40)
    void holds(Choices choices) {
      TRIED.add(List.of(choices.draw("number", longs())));
    }

    @Property
    void fails_on_a_large_number_in_a_long_text(Choices choices) {
      List<Integer> list = choices.draw("list", lists(ints(0, 10_000), 0, 50));
      String text = choices.draw("text", strings());
      TRIED.add(list.stream().map(Integer::longValue).toList());
      boolean large = list.stream().anyMatch(number -> number >= 900);
      assertThat(large && text.codePoints().count() >= 2).as("it is large").isFalse();
    }
  }

  @BeforeEach
  void nothing_was_tried() {
    TRIED.clear();
  }

  private static Events run(String method) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Samples.class, method, Choices.class))
        .execute()
        .testEvents();
  }

  private static String failure() {
    Events events = run("fails_on_a_large_number_in_a_long_text");
    assertThat(events.failed().count()).isEqualTo(1);
    return events.executions().failed().stream()
        .flatMap(failed -> failed.getTerminationInfo().getExecutionResult().getThrowable().stream())
        .map(Throwable::getMessage)
        .findFirst()
        .orElseThrow();
  }

  private static <T> T with(String property, long value, Supplier<T> action) {
    System.setProperty(property, Long.toString(value));
    try {
      return action.get();
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void is_one_test_with_as_many_inputs_as_it_asks_for() {
    run("holds").assertStatistics(statistics -> statistics.started(1).succeeded(1));
    assertThat(TRIED).hasSize(40);
    assertThat(TRIED.stream().distinct().count()).isGreaterThan(25); // edge cases come again
  }

  @Test
  void tries_the_same_inputs_in_every_build() {
    run("holds");
    List<List<Long>> first = List.copyOf(TRIED);
    TRIED.clear();
    run("holds");
    assertThat(TRIED).isEqualTo(first);
  }

  @Test
  void tries_more_inputs_with_more_effort() {
    run("holds");
    List<List<Long>> first = List.copyOf(TRIED);
    TRIED.clear();
    with("property.effort", 3, () -> run("holds"));
    assertThat(TRIED).hasSize(120);
    assertThat(TRIED.subList(0, 40)).isEqualTo(first);
  }

  @Test
  void a_failure_is_reported_with_its_seed_and_the_simplest_values() {
    assertThat(failure())
        .containsPattern("\\AThe property fails on try \\d+, with seed -?\\d+\\.\n")
        .containsPattern(
            "The simplest values found in \\d+ runs:\n  list = \\[900]\n  text = \"aa\"\n")
        .containsPattern("The values drawn at first:\n  list = \\[")
        .contains("To run this try alone: -Dproperty.seed=")
        .contains("[it is large]")
        .doesNotContain("AssertionError: The property");
  }

  @Test
  void the_seed_of_a_failure_runs_that_try_alone() {
    String failure = failure();
    Matcher seed = Pattern.compile("-Dproperty.seed=(-?\\d+)").matcher(failure);
    assertThat(seed.find()).isTrue();
    String again = with("property.seed", Long.parseLong(seed.group(1)), PropertyTest::failure);
    assertThat(again).isEqualTo(failure.replaceFirst("on try \\d+", "on try 1"));
  }
}
