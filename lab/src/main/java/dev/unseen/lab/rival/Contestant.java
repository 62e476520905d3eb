package dev.unseen.lab.rival;

/** What is compared: answers, for one hash after the other, whether it was seen before. */
public interface Contestant {
  /** Takes the hash in; true if it is let through as not seen before. */
  boolean admit(long hash);

  /** The bytes of its storage, at most those it was given. */
  long memoryBytes();
}
