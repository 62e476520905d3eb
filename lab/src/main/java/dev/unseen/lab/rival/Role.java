package dev.unseen.lab.rival;

/** Whose a family of filters is. */
public enum Role {
  /** One of the five that Bera et al. 2012 compare. */
  PAPER,
  /** The plain Bloom filter, which never forgets. */
  PLAIN,
  /** Our own. */
  OWN,
  /** From the rest of the literature. */
  RIVAL,
  /** Keeps whole hashes: an exact set of too few keys. */
  EXACT
}
