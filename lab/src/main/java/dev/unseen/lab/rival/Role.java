package dev.unseen.lab.rival;

/** The origin of a family of filters. */
public enum Role {
  /** One of the five that Bera et al. 2012 compare. */
  PAPER,
  /** The plain Bloom filter, which never forgets. */
  PLAIN,
  /** Our own filter. */
  OWN,
  /** A filter from the rest of the literature. */
  RIVAL,
  /** An exact set of whole hashes, which holds too few keys. */
  EXACT
}
