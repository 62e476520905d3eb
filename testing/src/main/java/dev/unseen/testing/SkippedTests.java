package dev.unseen.testing;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints which tests were skipped and why, a line for each reason of a class. Maven shows the line;
 * on its own it only counts skipped tests. JUnit finds this class by its service file.
 */
public final class SkippedTests implements TestExecutionListener {
  private final PrintStream out;

  /** The skipped tests of the classes that still run: by class, then by reason. */
  private final Map<String, Map<String, List<String>>> skipped = new LinkedHashMap<>();

  /** Prints to where Maven shows it. */
  public SkippedTests() {
    this(System.out);
  }

  SkippedTests(PrintStream out) {
    this.out = out;
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    add(test, reason);
    finish(test);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      add(test, result.getThrowable().map(Throwable::getMessage).orElse(null));
    }
    finish(test);
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    List.copyOf(skipped.keySet()).forEach(this::print);
  }

  private void add(TestIdentifier test, String reason) {
    skipped
        .computeIfAbsent(className(test), any -> new LinkedHashMap<>())
        .computeIfAbsent(oneLine(reason), any -> new ArrayList<>())
        .add(name(test));
  }

  /** Prints what is known of a class when no more of its tests follow. */
  private void finish(TestIdentifier test) {
    if (test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
      print(className(test));
    }
  }

  private void print(String className) {
    Map<String, List<String>> reasons = skipped.remove(className);
    if (reasons != null) {
      reasons.forEach(
          (reason, tests) ->
              out.println(
                  "SKIPPED %s%s: %s"
                      .formatted(
                          tests.get(0),
                          tests.size() == 1 ? "" : " and %d more".formatted(tests.size() - 1),
                          reason)));
      out.flush();
    }
  }

  private static String className(TestIdentifier test) {
    TestSource source = test.getSource().orElse(null);
    return source instanceof MethodSource method
        ? method.getClassName()
        : source instanceof ClassSource type ? type.getClassName() : test.getDisplayName();
  }

  private static String name(TestIdentifier test) {
    String simple = className(test).replaceFirst("^.*\\.", "").replace('$', '.');
    return test.getSource().orElse(null) instanceof MethodSource method
        ? simple + "." + method.getMethodName()
        : simple;
  }

  private static String oneLine(String reason) {
    String text = reason == null ? "" : reason.strip().replaceAll("\\s+", " ");
    String why = text.replaceFirst("(?i)^assumption failed(: )?", "");
    return why.isEmpty() ? "no reason is given" : why;
  }
}
