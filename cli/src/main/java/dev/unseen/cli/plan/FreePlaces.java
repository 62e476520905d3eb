package dev.unseen.cli.plan;

import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds places for labels next to the points of a drawing, where they cover nothing if possible.
 */
final class FreePlaces {
  private static final double LETTER_WIDTH = 0.58; // of the size
  private static final double BOLD_LETTER_WIDTH = 0.68;
  private static final int ROWS = 14; // half rows above and below a point, where words may stand
  private static final double COVERING = 40;
  private static final double OUTSIDE = 5000;

  private final Rectangle2D frame;
  private final List<Rectangle2D> taken = new ArrayList<>();

  /** Starts with all of a frame free. */
  FreePlaces(Rectangle2D frame) {
    this.frame = frame;
  }

  /** Takes a place. */
  void take(double x, double y, double width, double height) {
    taken.add(new Rectangle2D.Double(x, y, width, height));
  }

  /** Takes a square around a point. */
  void take(Point2D middle, double size) {
    take(middle.getX() - size / 2, middle.getY() - size / 2, size, size);
  }

  /** Takes a line, so that no words are put on it. */
  void take(Point2D from, Point2D to) {
    int steps = (int) (from.distance(to) / 8);
    for (int i = 1; i < steps; i++) {
      double share = (double) i / steps;
      double x = from.getX() + share * (to.getX() - from.getX());
      double y = from.getY() + share * (to.getY() - from.getY());
      take(new Point2D.Double(x, y), 4);
    }
  }

  /** Returns about how wide words are. */
  static double width(String words, double size, boolean bold) {
    return (bold ? BOLD_LETTER_WIDTH : LETTER_WIDTH) * size * words.length();
  }

  /**
   * A point that words may name.
   *
   * @param away the least distance between the point and its label
   * @param cost what it costs to name this point and not another
   */
  record Anchor(Point2D point, double away, double cost) {}

  /** Takes the best place for words that name one of these points, and returns it. */
  Rectangle2D place(String words, double size, boolean bold, List<Anchor> anchors) {
    Rectangle2D best =
        anchors.stream()
            .flatMap(anchor -> candidates(width(words, size, bold), size, anchor).stream())
            .min(Comparator.comparingDouble(Candidate::cost))
            .orElseThrow()
            .box();
    taken.add(best);
    return best;
  }

  private record Candidate(Rectangle2D box, double cost) {}

  private List<Candidate> candidates(double width, double size, Anchor anchor) {
    double px = anchor.point().getX();
    double py = anchor.point().getY();
    List<Candidate> candidates = new ArrayList<>();
    for (int row = -ROWS; row <= ROWS; row++) {
      boolean beside = Math.abs(row) <= 2;
      double y = py - size / 2 + row * (size + 2) / 2;
      double shift = beside ? anchor.away() : 0;
      for (double x : new double[] {px + shift, px - shift - width, px - width / 2}) {
        boolean coversPoint = beside && x < px && x + width > px;
        if (!coversPoint) {
          Rectangle2D box = new Rectangle2D.Double(x, y, width, size);
          candidates.add(new Candidate(box, anchor.cost() + cost(box, anchor.point())));
        }
      }
    }
    return candidates;
  }

  /** Returns how bad a place is: what it covers counts most, then the way to its point. */
  private double cost(Rectangle2D box, Point2D point) {
    double cost = distance(box, point) + (frame.contains(box) ? 0 : OUTSIDE);
    for (Rectangle2D other : taken) {
      Rectangle2D common = box.createIntersection(other);
      if (!common.isEmpty()) {
        cost += COVERING + common.getWidth() * common.getHeight();
      }
    }
    return cost;
  }

  private static double distance(Rectangle2D box, Point2D point) {
    double dx = Math.max(box.getMinX() - point.getX(), point.getX() - box.getMaxX());
    double dy = Math.max(box.getMinY() - point.getY(), point.getY() - box.getMaxY());
    return Math.hypot(Math.max(0, dx), Math.max(0, dy));
  }
}
