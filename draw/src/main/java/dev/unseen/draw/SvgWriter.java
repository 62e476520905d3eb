package dev.unseen.draw;

import java.util.List;
import java.util.Locale;

public final class SvgWriter {
  private static final String FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif";

  private SvgWriter() {}

  public static String write(Drawing drawing, String title) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" role=\"img\" font-family=\"%s\">%n<title>%s</title>%n",
            drawing.width(),
            drawing.height(),
            drawing.width(),
            drawing.height(),
            FONT,
            escape(title)));
    for (Drawing.Shape shape : drawing.shapes()) {
      svg.append(element(shape)).append('\n');
    }
    return svg.append("</svg>\n").toString();
  }

  private static String element(Drawing.Shape shape) {
    if (shape instanceof Drawing.Line line) {
      return String.format(
          Locale.ROOT,
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>",
          points(line.points()),
          line.color(),
          line.width(),
          line.dashed() ? " stroke-dasharray=\"5 4\"" : "");
    }
    if (shape instanceof Drawing.Dot dot) {
      return String.format(
          Locale.ROOT,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"%s\""
              + " stroke-width=\"1.6\"><title>%s</title></circle>",
          dot.x(),
          dot.y(),
          dot.radius(),
          dot.fill(),
          dot.stroke(),
          escape(dot.tooltip()));
    }
    if (shape instanceof Drawing.Box box) {
      return String.format(
          Locale.ROOT,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
          box.x(),
          box.y(),
          box.width(),
          box.height(),
          box.fill());
    }
    return text((Drawing.Text) shape);
  }

  private static String text(Drawing.Text text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\" text-anchor=\"%s\"%s%s>%s</text>",
        text.x(),
        text.y(),
        text.size(),
        text.color(),
        text.anchor().name().toLowerCase(Locale.ROOT),
        text.bold() ? " font-weight=\"600\"" : "",
        text.upright()
            ? String.format(Locale.ROOT, " transform=\"rotate(-90 %.1f %.1f)\"", text.x(), text.y())
            : "",
        escape(text.words()));
  }

  private static String points(List<Double> points) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < points.size(); i += 2) {
      text.append(
          String.format(
              Locale.ROOT, i == 0 ? "%.1f,%.1f" : " %.1f,%.1f", points.get(i), points.get(i + 1)));
    }
    return text.toString();
  }

  /** Escapes a text so that it can stand in XML and HTML, also in an attribute. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
