package dev.unseen.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class DrawingTest {
  private static final String HOSTILE = "\"a\" < b & 'c' > d";
  private static final String ESCAPED = "&quot;a&quot; &lt; b &amp; 'c' &gt; d";

  private final Drawing drawing = new Drawing(40, 20);

  @Test
  void svg_has_every_shape_in_its_order() {
    drawAll();
    String svg = SvgWriter.write(drawing, "title");
    assertThat(svg)
        .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"")
        .containsSubsequence("<title>", "<rect ", "<polyline ", "<circle ", "<text ", "<text ")
        .contains("points=\"0.0,10.0 39.5,10.0\"", "stroke-dasharray");
  }

  @Test
  void svg_escapes_every_text() {
    drawing.add(new Drawing.Dot(5, 5, 2, Palette.BLUE, Palette.INK, HOSTILE));
    drawing.text(1, 1, HOSTILE, 10, Drawing.Anchor.START, Palette.INK);
    assertThat(SvgWriter.escape(HOSTILE)).isEqualTo(ESCAPED);
    assertThat(SvgWriter.write(drawing, HOSTILE))
        .contains("<title>" + ESCAPED + "</title>\n<circle")
        .contains("<title>" + ESCAPED + "</title></circle>")
        .contains(">" + ESCAPED + "</text>");
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
  void later_changes_of_a_list_do_not_change_the_drawing() {
    List<Double> points = new ArrayList<>(List.of(0.0, 0.0, 1.0, 1.0));
    drawing.add(new Drawing.Line(points, Palette.INK, 1, false));
    points.clear();
    List<Drawing.Shape> shapes = drawing.shapes();
    drawing.line(0, 0, 1, 1, Palette.INK, 1);
    assertThat(shapes).hasSize(1);
    assertThat(((Drawing.Line) shapes.get(0)).points()).hasSize(4);
  }

  @Test
  void every_color_of_the_palette_is_written_in_full() throws IllegalAccessException {
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
        .containsExactly("java.base");
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
}
