package dev.unseen.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** Tries a property with one seed after the other, until it fails. */
final class PropertyCheck {
  /** The code that is run. It fails by throwing. */
  @FunctionalInterface
  interface Body {
    void run(Choices choices) throws Throwable;
  }

  private final Body body;
  private final Duration shrinking;

  PropertyCheck(Body body) {
    this(body, Duration.ofSeconds(5));
  }

  /** Creates a check with a limit to the time for shrinking. */
  PropertyCheck(Body body, Duration shrinking) {
    this.body = body;
    this.shrinking = shrinking;
  }

  /** Runs the property. Throws an error that describes the failure, if there is one. */
  void run(LongStream seeds) {
    int number = 0;
    for (long seed : (Iterable<Long>) seeds::iterator) {
      number++;
      Choices choices = Choices.random(seed);
      Throwable failure = failure(choices);
      if (failure != null) {
        throw report(number, seed, choices, failure);
      }
    }
  }

  /** Returns what the property threw on these choices, or null if it held. */
  Throwable failure(Choices choices) {
    try {
      body.run(choices);
      return null;
    } catch (Throwable e) { // an assertion's error, or whatever else the code throws
      return e;
    }
  }

  private AssertionError report(int number, long seed, Choices choices, Throwable failure) {
    Shrinker shrinker = new Shrinker(this, choices, failure, shrinking);
    long[] shrunk = shrinker.shrink();
    Choices last = Choices.reporting(shrunk);
    Throwable cause = failure(last);
    StringBuilder text = new StringBuilder();
    text.append("The property fails on try %d, with seed %d.\n".formatted(number, seed));
    if (cause == null) {
      text.append("It did not fail again on these values, so it depends on something else:\n");
      cause = failure;
    } else {
      text.append("The simplest values found in %d runs:\n".formatted(shrinker.runs()));
    }
    append(last.drawn(), text);
    Choices first = Choices.reporting(choices.values());
    if (failure(first) != null && !first.drawn().equals(last.drawn())) {
      text.append("The values drawn at first:\n");
      append(first.drawn(), text);
    }
    text.append("To run this try alone: -Dproperty.seed=%d\n%s".formatted(seed, cause));
    return new AssertionError(text.toString(), cause);
  }

  private static void append(List<String> drawn, StringBuilder text) {
    drawn.forEach(value -> text.append("  ").append(value).append('\n'));
  }
}
