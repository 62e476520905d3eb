package dev.unseen.server.store;

/** Records the changes of the filters, so that they can be replayed after a crash. */
public interface Journal {
  /** Records nothing. */
  Journal NONE = new Journal() {};

  /** Records that a filter was created. */
  default void created(ServedFilter filter) {}

  /** Records that a filter was deleted. */
  default void deleted(ServedFilter filter) {}

  /** Records that the expiry of a filter has changed. */
  default void expires(ServedFilter filter) {}

  /**
   * Records items that a filter has remembered.
   *
   * @param fresh whether they are new; otherwise the filter that this one has replaced knows them
   * @param bits has a bit for each item, which is set for those to record
   */
  default void remembered(
      ServedFilter filter, boolean fresh, long millis, long[] hashes, int count, long[] bits) {}

  /** Records the times of a deleted key of SET. */
  default void exception(long hash, long forgottenBy, long setUntil) {}

  /** Makes all records so far as durable as promised. It is called before replies are sent. */
  default void commit() {}
}
