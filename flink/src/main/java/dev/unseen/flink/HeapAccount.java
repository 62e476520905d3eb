package dev.unseen.flink;

import dev.unseen.text.Print;

/**
 * Adds up the heap that tasks take in one process: a TaskManager with several slots runs several of
 * them, also of several jobs. Each job loads classes of its own, so a static field would count one
 * job; the sum is in a system property, which all of them see.
 *
 * @param property the name of the property
 */
record HeapAccount(String property, long heapBytes) {
  /** That of this process. */
  static final HeapAccount PROCESS =
      new HeapAccount("dev.unseen.flink.heapBytes", Runtime.getRuntime().maxMemory());

  /**
   * Reserves heap for a task.
   *
   * @throws IllegalStateException if it is not free. The job may be restarted: the tasks of an
   *     earlier attempt may not have ended yet
   */
  void reserve(long bytes) {
    add(bytes);
  }

  /** Frees what a task has reserved. */
  void release(long bytes) {
    add(-bytes);
  }

  private void add(long bytes) {
    System.getProperties()
        .compute(
            property,
            (name, before) -> {
              long sum = bytes + (before == null ? 0 : Long.parseLong((String) before));
              if (bytes > 0 && sum > heapBytes) {
                throw new IllegalStateException(
                    "the tasks of unseen in this TaskManager take %s of heap together, for their parts of the filters and the copies that checkpoints are written from, and the heap is %s; raise taskmanager.memory.task.heap.size, lower taskmanager.numberOfTaskSlots, or ask for less memory(...)"
                        .formatted(Print.bytes(sum), Print.bytes(heapBytes)));
              }
              return Long.toString(sum);
            });
  }
}
