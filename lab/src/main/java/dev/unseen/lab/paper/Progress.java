package dev.unseen.lab.paper;

/** Is told how far a long piece of work has come. Called by several threads. */
public interface Progress extends AutoCloseable {
  /** The work: so many runs, of which some are finished already, and the records still to pass. */
  void start(int runs, int finished, long records);

  /** A run begins. */
  void begin(String run);

  /** So many more records have passed. */
  void records(long count);

  /** A run has ended. */
  void end(String run);

  @Override
  void close();
}
