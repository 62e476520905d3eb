package dev.unseen.draw;

import java.util.ArrayList;
import java.util.List;

/** A picture as a list of simple shapes. {@link SvgWriter} writes it. */
public final class Drawing {
  /** The part of a text that lies at its point. */
  public enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** A shape to draw. Colors are {@code #rrggbb}, as in {@link Palette}. */
  public sealed interface Shape permits Line, Dot, Text, Box {}

  /** A line through points x0, y0, x1, y1... */
  public record Line(List<Double> points, String color, double width, boolean dashed)
      implements Shape {
    public Line {
      points = List.copyOf(points);
    }
  }

  /**
   * A circle. It is hollow if its fill is the background color, and a ring if it is {@code none}.
   */
  public record Dot(double x, double y, double radius, String fill, String stroke, String tooltip)
      implements Shape {}

  /** Words on a line. Upright words are turned left by 90 degrees. */
  public record Text(
      double x,
      double y,
      String words,
      double size,
      Anchor anchor,
      String color,
      boolean bold,
      boolean upright)
      implements Shape {}

  public record Box(double x, double y, double width, double height, String fill)
      implements Shape {}

  private final int width;
  private final int height;
  private final List<Shape> shapes = new ArrayList<>();

  public Drawing(int width, int height) {
    this.width = width;
    this.height = height;
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** Returns the shapes. Each one covers the shapes before it. */
  public List<Shape> shapes() {
    return List.copyOf(shapes);
  }

  public void add(Shape shape) {
    shapes.add(shape);
  }

  public void line(double x0, double y0, double x1, double y1, String color, double width) {
    add(new Line(List.of(x0, y0, x1, y1), color, width, false));
  }

  /** Adds bold words that begin at a point. */
  public void title(double x, double y, String words, double size) {
    add(new Text(x, y, words, size, Anchor.START, Palette.INK, true, false));
  }

  /** Adds plain words. */
  public void text(double x, double y, String words, double size, Anchor anchor, String color) {
    add(new Text(x, y, words, size, anchor, color, false, false));
  }
}
