package dev.unseen.lab.rival;

/**
 * A structure to be compared: it decides for one hash after the other whether it was seen before.
 */
public interface Contestant {
  /** Checks a hash and remembers it. Returns true if it is let through as new. */
  boolean admit(long hash);

  /** Returns the size of its storage in bytes, which is at most the memory that it was given. */
  long memoryBytes();
}
