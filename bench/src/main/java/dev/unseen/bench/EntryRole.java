package dev.unseen.bench;

/** What a contestant is in the comparison. */
enum EntryRole {
  /** A filter of this project. */
  OURS,

  /** Another filter that may err, at equal memory. */
  APPROXIMATE_PEER,

  /** A set or cache of whole keys, which holds far fewer in the same memory. */
  EXACT_PEER,

  /** What the memory can give. */
  LIMIT,

  /** What it gives to a loop that asks for one record after the other. */
  PLAIN_LOOP
}
