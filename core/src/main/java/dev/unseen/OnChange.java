package dev.unseen;

/** What happens if the options of a gate differ from those that its state was saved with. */
public enum OnChange {
  /** Loading fails with a message that names the options. This is the default. */
  REJECT,

  /**
   * The gate starts a filter with the new options, and consults the saved one until nothing that it
   * knows can matter: until the window has passed, or, without a window, until as many new keys
   * have been admitted as the saved filter holds.
   */
  GROW
}
