package dev.unseen.testing;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Measures what work costs, which does not depend on how busy the machine is. */
public final class CpuTime {
  private CpuTime() {}

  /** Does the work, and returns the CPU time that the calling thread used for it. */
  public static Duration of(Callable<?> work) throws Exception {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    work.call();
    return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
  }
}
