package dev.unseen.kafka;

import dev.unseen.commands.CliException;

/** Writes records to the topic that a run reads, while it runs. The run ends when both are done. */
interface Feed extends AutoCloseable {
  /** Returns whether all records are in the topic. */
  boolean hasEnded() throws CliException;

  @Override
  void close();
}
