package dev.unseen.lab.trial;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does work on several threads. */
public final class RunPool {
  private RunPool() {}

  /** Work that is done once for each item. */
  public interface Work<T> {
    void on(T item) throws IOException;
  }

  /** Does the work for all items, and fails as the first one of them that fails. */
  public static <T> void run(int threads, List<T> items, Work<T> work)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (T item : items) {
        running.add(
            pool.submit(
                () -> {
                  work.on(item);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof IllegalArgumentException argument) {
        throw argument;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
