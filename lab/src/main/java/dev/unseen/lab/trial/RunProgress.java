package dev.unseen.lab.trial;

/** Receives the progress of long work. Several threads may call it. */
public interface RunProgress extends AutoCloseable {
  /**
   * Begins the work.
   *
   * @param runs the total number of runs
   * @param finished the number of runs that were finished before
   * @param records the number of records in the runs that are left
   */
  void start(int runs, int finished, long records);

  /** Begins a run. */
  default void begin(String run) {}

  /** Adds to the number of records that have passed. */
  void records(long count);

  /** Ends a run. */
  default void end(String run) {}

  @Override
  default void close() {}
}
