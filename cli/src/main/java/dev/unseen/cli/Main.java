package dev.unseen.cli;

/** Placeholder until the command is in. */
public final class Main {
  private Main() {}

  /** Runs. */
  public static void main(String[] args) {}
}
