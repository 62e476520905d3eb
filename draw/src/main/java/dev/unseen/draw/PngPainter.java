package dev.unseen.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import javax.imageio.ImageIO;

/** Writes a drawing as PNG, at twice its size for sharp letters. */
public final class PngPainter {
  private static final int SCALE = 2;

  private final Graphics2D graphics;

  private PngPainter(Graphics2D graphics) {
    this.graphics = graphics;
  }

  /** Writes the bytes of the file. The stream is left open. */
  public static void write(Drawing drawing, OutputStream out) throws IOException {
    System.setProperty("java.awt.headless", "true"); // no screen is needed, and there may be none
    try {
      if (!ImageIO.write(paint(drawing), "png", out)) {
        throw new IOException("this Java cannot write PNG");
      }
    } catch (LinkageError | InternalError | RuntimeException e) { // what Java throws without fonts
      throw new IOException(
          "this Java cannot draw text (%s); write SVG, or install fontconfig, freetype and a font"
              .formatted(e.getMessage()),
          e);
    }
  }

  private static BufferedImage paint(Drawing drawing) {
    BufferedImage image =
        new BufferedImage(
            SCALE * drawing.width(), SCALE * drawing.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.scale(SCALE, SCALE);
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      PngPainter painter = new PngPainter(graphics);
      drawing.shapes().forEach(painter::draw);
    } finally {
      graphics.dispose();
    }
    return image;
  }

  private void draw(Drawing.Shape shape) {
    if (shape instanceof Drawing.Line line) {
      draw(line);
    } else if (shape instanceof Drawing.Dot dot) {
      draw(dot);
    } else if (shape instanceof Drawing.Box box) {
      graphics.setColor(Color.decode(box.fill()));
      graphics.fill(new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height()));
    } else if (shape instanceof Drawing.Text text) {
      draw(text);
    }
  }

  private void draw(Drawing.Line line) {
    float[] dashes = line.dashed() ? new float[] {5, 4} : null;
    graphics.setColor(Color.decode(line.color()));
    graphics.setStroke(
        new BasicStroke(
            (float) line.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
    List<Double> points = line.points();
    Path2D path = new Path2D.Double();
    path.moveTo(points.get(0), points.get(1));
    for (int i = 2; i < points.size(); i += 2) {
      path.lineTo(points.get(i), points.get(i + 1));
    }
    graphics.draw(path);
  }

  private void draw(Drawing.Dot dot) {
    double r = dot.radius();
    Ellipse2D circle = new Ellipse2D.Double(dot.x() - r, dot.y() - r, 2 * r, 2 * r);
    graphics.setColor(Color.decode(dot.fill()));
    graphics.fill(circle);
    graphics.setColor(Color.decode(dot.stroke()));
    graphics.setStroke(new BasicStroke(1.6f));
    graphics.draw(circle);
  }

  private void draw(Drawing.Text text) {
    Font font = new Font(Font.SANS_SERIF, text.bold() ? Font.BOLD : Font.PLAIN, 1);
    graphics.setFont(font.deriveFont((float) text.size()));
    graphics.setColor(Color.decode(text.color()));
    double length = graphics.getFontMetrics().stringWidth(text.words());
    double back =
        switch (text.anchor()) {
          case START -> 0;
          case MIDDLE -> length / 2;
          case END -> length;
        };
    if (text.upright()) {
      graphics.rotate(-Math.PI / 2, text.x(), text.y());
    }
    graphics.drawString(text.words(), (float) (text.x() - back), (float) text.y());
    if (text.upright()) {
      graphics.rotate(Math.PI / 2, text.x(), text.y());
    }
  }
}
