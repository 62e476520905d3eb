package dev.unseen.testing;

/** Makes a value out of choices. The simplest choices must make the simplest value. */
@FunctionalInterface
public interface Generator<T> {
  /** Returns a value, which depends on nothing but the choices. */
  T from(Choices choices);
}
