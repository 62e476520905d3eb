package dev.unseen.lab.rival;

import java.util.function.LongFunction;

/**
 * One choice of a family's parameters, ready to be built.
 *
 * @param parameters the parameters as text, such as {@code k=10 fill=0.5}; unique within the family
 * @param defaultFor the false positive rate at which users get this setting if they choose nothing
 *     else; NaN if it has to be chosen
 */
public record Setting(
    ContestantFamily family,
    String parameters,
    LongFunction<Contestant> factory,
    double defaultFor) {

  /** Returns whether users get this setting if they choose nothing but a rate. */
  public boolean isDefault() {
    return !Double.isNaN(defaultFor);
  }

  public Contestant build(long seed) {
    return factory.apply(seed);
  }

  public String describe() {
    return family.label() + " " + parameters;
  }
}
