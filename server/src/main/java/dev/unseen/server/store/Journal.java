package dev.unseen.server.store;

/** Notes what happens to the filters, so that it can be repeated after a crash. */
public interface Journal {
  /** Notes nothing. */
  Journal NONE = new Journal() {};

  /** Notes that a filter was created. */
  default void created(ServedFilter filter) {}

  /** Notes that a filter was deleted. */
  default void deleted(ServedFilter filter) {}

  /** Notes that the time at which a whole filter expires has changed. */
  default void expires(ServedFilter filter) {}

  /**
   * Notes items that a filter has admitted.
   *
   * @param fresh has a bit for each item, which is set for those that were admitted
   * @param admitted the number of bits that are set
   */
  default void admitted(
      ServedFilter filter, long millis, long[] hashes, int count, long[] fresh, int admitted) {}

  /** Notes what is known exactly about a key of SET. */
  default void exception(long hash, long forgottenBy, long setUntil) {}

  /**
   * Makes all that was noted so far as durable as was promised. It is called before replies are
   * sent.
   */
  default void commit() {}
}
