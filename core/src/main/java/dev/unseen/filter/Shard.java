package dev.unseen.filter;

/**
 * One of the 128 parts of a concurrent filter. A shard can be saved, moved to another process and
 * merged without the rest of the filter.
 */
public interface Shard {
  /** Returns the number of this shard, 0 to 127. */
  int index();

  /** Returns the number of records that this shard has processed. */
  long records();

  /** Returns the number of records that this shard has let through. */
  long admitted();

  /** Returns the share of the shard's memory in use, 0 to 1. */
  double load();

  /** Returns the size of the shard's storage in bytes. */
  long memoryBytes();
}
