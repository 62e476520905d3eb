package dev.unseen.server.command;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Logs one warning per minute at most, so that hostile clients cannot fill the disk. */
public final class ThrottledLog {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private boolean used;
  private long loggedAt;
  private long suppressed;

  /** Creates a log for warnings of one kind. */
  public ThrottledLog() {
    this(message -> LOG.log(System.Logger.Level.WARNING, message), System::nanoTime);
  }

  ThrottledLog(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  /** Logs a warning, or counts it, so that the next one that is logged has the number. */
  public synchronized void warn(String message) {
    long now = nanos.getAsLong();
    if (used && now - loggedAt < PAUSE_NANOS) {
      suppressed++;
      return;
    }
    log.accept(
        suppressed == 0
            ? message
            : "%s (and %d others like it since the last line)".formatted(message, suppressed));
    used = true;
    loggedAt = now;
    suppressed = 0;
  }
}
