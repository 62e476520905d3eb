package dev.unseen.cli.dedup;

/**
 * Something to do that any thread can do.
 *
 * @param batch the one to do it with; null for {@link Step#WRITE}, which takes what comes next
 */
record PipelineTask(Step step, Batch batch) {
  /** What there is to do before a batch is decided, and after it. */
  enum Step {
    /** Read bytes. One thread at a time. */
    READ,
    /** Cut them into records and hash the keys, ahead of the batches before. */
    CUT,
    /** Make sure of the records. One thread at a time, in order. */
    SETTLE,
    /** Write the next batch that is decided. One thread at a time, in order. */
    WRITE
  }
}
