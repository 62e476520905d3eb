package dev.unseen.cli.plan;

import java.util.ArrayList;
import java.util.List;

/** A picture as a list of simple shapes, which can be written as SVG or painted as pixels. */
final class Drawing {
  /** Where a text's point lies in it. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** A thing to draw. Colours are {@code #rrggbb}. */
  sealed interface Shape permits Line, Dot, Text, Box {}

  /** A line through points x0, y0, x1, y1... */
  record Line(List<Double> points, String color, double width, boolean dashed) implements Shape {}

  /** A circle; hollow if its fill is the background. */
  record Dot(double x, double y, double radius, String fill, String stroke, String tooltip)
      implements Shape {}

  /** Words on a line; upright ones are turned left by a quarter. */
  record Text(
      double x,
      double y,
      String words,
      double size,
      Anchor anchor,
      String color,
      boolean bold,
      boolean upright)
      implements Shape {}

  /** A filled rectangle. */
  record Box(double x, double y, double width, double height, String fill) implements Shape {}

  private final int width;
  private final int height;
  private final List<Shape> shapes = new ArrayList<>();

  Drawing(int width, int height) {
    this.width = width;
    this.height = height;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  List<Shape> shapes() {
    return List.copyOf(shapes);
  }

  void add(Shape shape) {
    shapes.add(shape);
  }

  void line(double x0, double y0, double x1, double y1, String color, double width) {
    add(new Line(List.of(x0, y0, x1, y1), color, width, false));
  }

  void text(double x, double y, String words, double size, Anchor anchor, String color) {
    add(new Text(x, y, words, size, anchor, color, false, false));
  }
}
