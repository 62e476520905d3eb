package dev.unseen;

import java.util.Objects;

/** Builds a {@link Gate}; only the memory, or the number of expected keys, has to be named. */
public final class GateBuilder extends GateOptions<GateBuilder, Gate> {
  private KeyForm keyForm = KeyForm.UNKNOWN;
  private boolean eventTime;

  GateBuilder() {}

  /** Sets what the keys are, which a saved state remembers; unknown unless set. */
  public GateBuilder keyForm(KeyForm form) {
    this.keyForm = Objects.requireNonNull(form, "form is null; KeyForm.UNKNOWN is none");
    return this;
  }

  /** Makes a window of time go by times that come with the hashes, not by those of arrival. */
  public GateBuilder eventTime() {
    this.eventTime = true;
    return this;
  }

  @Override
  GateBuilder self() {
    return this;
  }

  @Override
  Gate around(Gate gate) {
    return gate;
  }

  @Override
  KeyForm formOfKeys() {
    return keyForm;
  }

  @Override
  boolean isEventTime() {
    return eventTime;
  }
}
