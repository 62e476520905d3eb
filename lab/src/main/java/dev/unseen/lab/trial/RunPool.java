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

  /** A part of the work. */
  public interface Task {
    /** Does it. */
    void run() throws IOException;
  }

  /** Runs all tasks, and fails as the first one of them that fails. */
  public static void run(int threads, List<Task> tasks) throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (Task task : tasks) {
        futures.add(
            pool.submit(
                () -> {
                  task.run();
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get();
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
