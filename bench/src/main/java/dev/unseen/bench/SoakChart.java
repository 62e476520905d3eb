package dev.unseen.bench;

import static dev.unseen.draw.Drawing.Anchor.END;
import static dev.unseen.draw.Drawing.Anchor.MIDDLE;
import static dev.unseen.draw.Drawing.Anchor.START;
import static dev.unseen.draw.Palette.BACKGROUND;
import static dev.unseen.draw.Palette.GRID;
import static dev.unseen.draw.Palette.MUTED;

import dev.unseen.draw.Drawing;
import dev.unseen.draw.Palette;
import java.util.List;
import java.util.Locale;

/** Draws the resident memory over time, with an axis that starts at 0. */
final class SoakChart {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 360;
  private static final double LEFT = 80;
  private static final double RIGHT = WIDTH - 30;
  private static final double TOP = 70;
  private static final double BOTTOM = HEIGHT - 50;
  private static final int STEPS = 5;

  private SoakChart() {}

  static Drawing of(List<MemorySoak.Sample> samples, String caption) {
    Drawing drawing = new Drawing(WIDTH, HEIGHT);
    drawing.add(new Drawing.Box(0, 0, WIDTH, HEIGHT, BACKGROUND));
    drawing.title(20, 30, "Resident memory, MiB", 17);
    double captionY = 47;
    for (String part : caption.split(": ", 2)) { // too long for one line
      drawing.text(20, captionY, part, 11, START, MUTED);
      captionY += 15;
    }
    double most = samples.stream().mapToLong(MemorySoak.Sample::bytes).max().orElse(1) * 1.1;
    double end = samples.get(samples.size() - 1).seconds();
    for (int i = 0; i <= STEPS; i++) {
      double y = BOTTOM - (BOTTOM - TOP) * i / STEPS;
      drawing.line(LEFT, y, RIGHT, y, GRID, 1);
      drawing.text(LEFT - 8, y + 4, number(most * i / STEPS / (1 << 20)), 12, END, MUTED);
      double x = LEFT + (RIGHT - LEFT) * i / STEPS;
      drawing.text(x, BOTTOM + 18, number(end * i / STEPS / 60), 12, MIDDLE, MUTED);
    }
    drawing.text(RIGHT, BOTTOM + 36, "minutes", 12, END, MUTED);
    for (int i = 1; i < samples.size(); i++) {
      MemorySoak.Sample a = samples.get(i - 1);
      MemorySoak.Sample b = samples.get(i);
      drawing.line(
          LEFT + (RIGHT - LEFT) * a.seconds() / end,
          BOTTOM - (BOTTOM - TOP) * a.bytes() / most,
          LEFT + (RIGHT - LEFT) * b.seconds() / end,
          BOTTOM - (BOTTOM - TOP) * b.bytes() / most,
          Palette.BLUE,
          2);
    }
    return drawing;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
