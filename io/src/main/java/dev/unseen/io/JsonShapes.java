package dev.unseen.io;

import org.jspecify.annotations.Nullable;

/**
 * The few shapes that the texts of a file have, learned from those that were parsed. Where texts
 * have too many shapes, most of them are not even compared, so that nothing is lost.
 */
final class JsonShapes {
  private static final int MOST = 4;

  /** After this number of texts it is decided whether it pays to compare the next ones. */
  private static final int TRIAL = 1024;

  /** If it does not pay, this number of texts is not compared. */
  private static final int REST = 15 * TRIAL;

  private final @Nullable JsonShape[] known = new @Nullable JsonShape[MOST];
  private int last; // the one that was found last
  private int next; // the one that was learned last
  private boolean resting;
  private int left = TRIAL; // texts of the trial or rest
  private int found; // in the trial
  private int pause = 1; // texts of no known shape from one that is learned to the next
  private int untilLearned = 1;

  /** Returns the shape of a text; null if it is not known. Its places are those of the text. */
  @Nullable JsonShape find(byte[] bytes, int from, int to) {
    if (--left < 0) {
      decide();
    }
    if (resting) {
      return null;
    }
    JsonShape shape = known[last];
    if (shape == null || !shape.matches(bytes, from, to)) {
      shape = findOther(bytes, from, to);
    }
    found += shape == null ? 0 : 1;
    return shape;
  }

  private void decide() {
    resting = !resting && found < TRIAL / 2;
    left = resting ? REST : TRIAL;
    found = 0;
    pause = 1;
    untilLearned = 1;
  }

  private @Nullable JsonShape findOther(byte[] bytes, int from, int to) {
    for (int i = 0; i < MOST; i++) {
      JsonShape shape = known[i];
      if (i != last && shape != null && shape.matches(bytes, from, to)) {
        last = i;
        return shape;
      }
    }
    return null;
  }

  /**
   * Learns the shape of a valid text that was not found.
   *
   * @param partStarts see {@link JsonShape#of}
   */
  void learn(byte[] bytes, int from, int to, int[] partStarts) {
    if (resting || --untilLearned > 0) {
      return;
    }
    pause = Math.min(2 * pause, TRIAL);
    untilLearned = pause;
    JsonShape shape = JsonShape.of(bytes, from, to, partStarts);
    if (shape != null) {
      next = (next + 1) % MOST;
      next = next == last ? (next + 1) % MOST : next; // the one of most texts stays
      known[next] = shape;
    }
  }
}
