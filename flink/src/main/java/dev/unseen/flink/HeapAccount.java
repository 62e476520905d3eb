package dev.unseen.flink;

import dev.unseen.text.Print;

/**
 * Adds up the heap that the tasks of a job take in one process: a TaskManager with several slots
 * runs several of them.
 */
final class HeapAccount {
  /** That of this process. */
  static final HeapAccount PROCESS = new HeapAccount(Runtime.getRuntime().maxMemory());

  private final long heapBytes;
  private long reserved;

  HeapAccount(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  long heapBytes() {
    return heapBytes;
  }

  /**
   * Reserves heap for a task.
   *
   * @throws IllegalStateException if it is not free. The job may be restarted: the tasks of an
   *     earlier attempt may not have ended yet
   */
  synchronized void reserve(long bytes) {
    if (bytes > heapBytes - reserved) {
      throw new IllegalStateException(
          "the tasks of unseen in this TaskManager take %s of heap together, for their parts of the filter and the copies that checkpoints are written from, and the heap is %s; raise taskmanager.memory.task.heap.size, lower taskmanager.numberOfTaskSlots, or ask for less memory(...)"
              .formatted(Print.bytes(reserved + bytes), Print.bytes(heapBytes)));
    }
    reserved += bytes;
  }

  /** Frees what a task has reserved. */
  synchronized void release(long bytes) {
    reserved -= bytes;
  }
}
