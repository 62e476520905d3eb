package dev.unseen;

import dev.unseen.GateConfig.OnChange;
import java.util.Objects;

/** Builds a {@link Gate}. Only the memory or the number of expected keys must be set. */
public final class GateBuilder extends AbstractGateBuilder<GateBuilder, Gate> {
  private KeyForm keyForm = KeyForm.UNKNOWN;
  private boolean rehashing;

  GateBuilder() {}

  /** Sets the form of the keys, which is saved with the state. By default it is unknown. */
  public GateBuilder keyForm(KeyForm form) {
    this.keyForm = Objects.requireNonNull(form, "form is null; KeyForm.UNKNOWN is none");
    return this;
  }

  /**
   * Makes a window of time use the times that come with the hashes instead of the times of arrival.
   */
  public GateBuilder eventTime() {
    return set(Option.EVENT_TIME, true);
  }

  /**
   * Allows {@link OnChange#GROW} to change the secret, the seed and the hash function: the caller
   * checks each key with {@link Gate#isKnown} as long as {@link Gate#rehashes}.
   */
  public GateBuilder rehashing() {
    rehashing = true;
    return this;
  }

  @Override
  protected GateBuilder self() {
    return this;
  }

  @Override
  Gate around(Gate gate) {
    return gate;
  }

  @Override
  boolean hasKeys() {
    return rehashing;
  }

  @Override
  KeyForm formOfKeys() {
    return keyForm;
  }
}
