/**
 * Lets each record of a stream through once, in memory that never grows.
 *
 * <p>Start at {@link dev.unseen.Deduplicator}. If you have your own 64-bit hashes, use a {@link
 * dev.unseen.Gate}, the engine of a deduplicator.
 */
@SuppressWarnings("module") // modules that are built later, or are on the class path
module dev.unseen.core {
  requires static jdk.jfr; // without it there are no events
  requires static org.jspecify;

  exports dev.unseen;
  exports dev.unseen.audit;
  exports dev.unseen.error;
  exports dev.unseen.filter;
  exports dev.unseen.hash;
  exports dev.unseen.snapshot;

  // For our own modules.
  exports dev.unseen.bits to
      dev.unseen.plan;
  exports dev.unseen.filter.base to
      dev.unseen.plan;
  exports dev.unseen.filter.engine to
      dev.unseen.plan;
  exports dev.unseen.filter.recency to
      dev.unseen.plan;
  exports dev.unseen.text to
      dev.unseen.plan;
}
