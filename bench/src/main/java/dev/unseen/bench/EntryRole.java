package dev.unseen.bench;

enum EntryRole {
  OURS,

  /** Another approximate filter, at equal memory. */
  APPROXIMATE_PEER,

  /** A set or cache of whole keys, which holds far fewer in the same memory. */
  EXACT_PEER,

  /** The speed that the memory allows. */
  LIMIT,

  /** The speed of a loop that reads memory for one record after the other. */
  PLAIN_LOOP;

  boolean isLimit() {
    return this == LIMIT || this == PLAIN_LOOP;
  }
}
