package dev.unseen.lab.rival;

import java.util.function.Supplier;

/**
 * One choice of a family's parameters, ready to be built.
 *
 * @param parameters the parameters in words, such as {@code k=10 fill=0.5}; unique within the
 *     family
 */
public record Setting(
    ContestantFamily family, String parameters, Supplier<? extends Contestant> factory) {

  /** Creates an empty structure. */
  public Contestant build() {
    return factory.get();
  }

  /** Returns a description in one line. */
  public String describe() {
    return family.label() + " " + parameters;
  }
}
