package dev.unseen.cli.plan;

import dev.unseen.draw.SvgWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Lists the formats of a plot, which the name of its file decides. */
enum PlotFormat {
  SVG {
    @Override
    void write(PlanPlot plot, Path file) throws IOException {
      Files.writeString(file, SvgWriter.write(plot.draw(), plot.title()));
    }
  },

  /** One file that needs no other: the drawing, and the figures in a table below it. */
  HTML {
    @Override
    void write(PlanPlot plot, Path file) throws IOException {
      Files.writeString(file, PlanPage.of(plot));
    }
  };

  abstract void write(PlanPlot plot, Path file) throws IOException;

  static PlotFormat of(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(format -> name.endsWith("." + format.name().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "plot '%s' must end in .svg or .html".formatted(file)));
  }
}
