package dev.unseen.spring.idempotent;

/** What is known of the request that is being processed by this thread. */
interface RequestFacts {
  /** Returns whether this thread processes a request. */
  boolean isPresent();

  /**
   * Returns the key that a header has, or null if there is none.
   *
   * @throws SeveralKeysException if there are several
   * @throws MalformedKeyException if it is quoted, but not as it must be
   */
  String key(String header);

  /** Returns the name of the user, or an empty text if it is not known. */
  String user();
}
