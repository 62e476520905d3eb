package dev.unseen.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

final class DrawingTest {
  private static final String HOSTILE = "\"a\" < b & 'c' > d";

  private final Drawing drawing = new Drawing(40, 20);

  @Test
  void svg_has_every_shape_in_its_order() throws Exception {
    drawAll();
    Element svg = parse(SvgWriter.write(drawing, "title"));
    assertThat(svg.getAttribute("viewBox")).isEqualTo("0 0 40 20");
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < svg.getChildNodes().getLength(); i++) {
      if (svg.getChildNodes().item(i) instanceof Element element) {
        elements.add(element.getTagName());
      }
    }
    assertThat(elements).containsExactly("title", "rect", "polyline", "circle", "text", "text");
    Element line = (Element) svg.getElementsByTagName("polyline").item(0);
    assertThat(line.getAttribute("points")).isEqualTo("0.0,10.0 39.5,10.0");
    assertThat(line.hasAttribute("stroke-dasharray")).isTrue();
  }

  @Test
  void svg_keeps_every_character_of_a_text() throws Exception {
    drawing.add(new Drawing.Dot(5, 5, 2, Palette.BLUE, Palette.INK, HOSTILE));
    drawing.text(1, 1, HOSTILE, 10, Drawing.Anchor.START, Palette.INK);
    Element svg = parse(SvgWriter.write(drawing, HOSTILE));
    for (String element : List.of("title", "circle", "text")) {
      assertThat(svg.getElementsByTagName(element).item(0).getTextContent()).isEqualTo(HOSTILE);
    }
    Element attribute = parse("<a b=\"" + SvgWriter.escape(HOSTILE) + "\"/>");
    assertThat(attribute.getAttribute("b")).isEqualTo(HOSTILE);
  }

  @Test
  void svg_has_the_same_numbers_in_every_locale() {
    drawAll();
    String expected = SvgWriter.write(drawing, "title");
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(SvgWriter.write(drawing, "title")).isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void png_has_two_pixels_for_each_unit_and_the_shapes_where_they_belong() throws IOException {
    drawing.add(new Drawing.Box(0, 0, 40, 20, Palette.BACKGROUND));
    drawing.add(new Drawing.Box(10, 5, 10, 10, Palette.BLUE));
    drawing.add(new Drawing.Dot(30, 10, 4, Palette.ORANGE, Palette.INK, ""));
    drawing.line(0, 18, 40, 18, Palette.GREEN, 2);
    BufferedImage image = paint();
    assertThat(image.getWidth()).isEqualTo(80);
    assertThat(image.getHeight()).isEqualTo(40);
    assertThat(color(image, 5, 10)).isEqualTo(Palette.BACKGROUND);
    assertThat(color(image, 15, 10)).isEqualTo(Palette.BLUE);
    assertThat(color(image, 30, 10)).isEqualTo(Palette.ORANGE);
    assertThat(color(image, 20, 18)).isEqualTo(Palette.GREEN);
  }

  @Test
  void png_takes_every_shape() throws IOException {
    drawAll();
    assertThat(paint().getWidth()).isEqualTo(80);
  }

  @Test
  void what_was_taken_or_given_does_not_change_behind_ones_back() {
    List<Double> points = new ArrayList<>(List.of(0.0, 0.0, 1.0, 1.0));
    drawing.add(new Drawing.Line(points, Palette.INK, 1, false));
    points.clear();
    List<Drawing.Shape> shapes = drawing.shapes();
    drawing.line(0, 0, 1, 1, Palette.INK, 1);
    assertThat(shapes).hasSize(1);
    assertThat(((Drawing.Line) shapes.get(0)).points()).hasSize(4);
  }

  @Test
  void every_colour_of_the_palette_is_written_in_full() throws IllegalAccessException {
    for (Field field : Palette.class.getFields()) {
      assertThat((String) field.get(null)).as(field.getName()).matches("#[0-9a-f]{6}");
    }
  }

  @Test
  void the_module_needs_nothing_but_java() throws Exception {
    Path classes =
        Path.of(Drawing.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("dev.unseen.draw").orElseThrow().descriptor();
    assertThat(module.requires().stream().map(ModuleDescriptor.Requires::name))
        .containsExactlyInAnyOrder("java.base", "java.desktop");
    assertThat(module.exports().stream().map(ModuleDescriptor.Exports::source))
        .containsExactly("dev.unseen.draw");
  }

  private void drawAll() {
    drawing.add(new Drawing.Box(0, 0, 40, 20, Palette.BACKGROUND));
    drawing.add(new Drawing.Line(List.of(0.0, 10.0, 39.5, 10.0), Palette.MUTED, 1, true));
    drawing.add(new Drawing.Dot(5, 5, 2, Palette.BACKGROUND, Palette.INK, "a dot"));
    drawing.text(20, 15, "middle", 6, Drawing.Anchor.MIDDLE, Palette.INK);
    drawing.add(
        new Drawing.Text(4, 15, "up", 6, Drawing.Anchor.END, Palette.VERMILION, true, true));
  }

  private BufferedImage paint() throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    PngPainter.write(drawing, png);
    return ImageIO.read(new ByteArrayInputStream(png.toByteArray()));
  }

  private static String color(BufferedImage image, int x, int y) {
    return "#%06x".formatted(image.getRGB(2 * x, 2 * y) & 0xFFFFFF);
  }

  private static Element parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)))
        .getDocumentElement();
  }
}
