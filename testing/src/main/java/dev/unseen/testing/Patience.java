package dev.unseen.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for what a test expects, for as long as a machine that is slow and busy may need. A test
 * that passes does not wait that long, so the limit is only how late a failure is noticed.
 */
public final class Patience {
  /** The time after which something that has not happened counts as missing. */
  public static final Duration LIMIT = Duration.ofMinutes(5);

  private static final Duration LOOK = Duration.ofMillis(20);

  private Patience() {}

  /**
   * Starts to describe a wait: {@code await("the file").until(() -> Files.exists(file))}. The
   * condition is evaluated by the calling thread.
   *
   * @param what the failure's first words
   */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(LOOK)
        .pollInSameThread();
  }

  /**
   * Waits for the end of a process and returns its exit code. A process that does not end is
   * killed, and the test fails.
   */
  public static int exitCode(Process process) throws InterruptedException {
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end: " + process.info());
    }
    return process.exitValue();
  }
}
