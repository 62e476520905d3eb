package dev.unseen.server.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void a_name_is_shown_as_people_would_write_it() {
    assertThat(Names.shown(Names.of("clicks"))).isEqualTo("clicks");
    assertThat(Names.shown(Names.of("naïve 东京 🙂"))).isEqualTo("naïve 东京 🙂");
    assertThat(Names.shown("e\u00ff")).isEqualTo("e\\xff");
    assertThat(Names.shown("e\\xff")).isEqualTo("e\\\\xff");
    assertThat(Names.shown("a\r\n\t\0b")).isEqualTo("a\\x0d\\x0a\\x09\\x00b");
    assertThat(Names.shown(Names.of("a\u202eb\u0085"))).isEqualTo("a\\xe2\\x80\\xaeb\\xc2\\x85");
    assertThat(Names.shown(" a  b ")).isEqualTo("\\x20a \\x20b\\x20");
    assertThat(Names.shown(" ")).isEqualTo("\\x20");
    assertThat(Names.shown("")).isEqualTo("\\(empty)");
    assertThat(Names.shown("\\(empty)")).isEqualTo("\\\\(empty)");
  }

  @Test
  void the_printable_name_determines_its_bytes() {
    Random random = new Random(1);
    String bytes = "\\x02fe( \n\u00c3\u00bf\u00ff";
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        name.append(bytes.charAt(random.nextInt(bytes.length())));
      }
      String shown = Names.shown(name.toString());
      String before = names.put(shown, name.toString());
      assertThat(before == null ? name.toString() : before).as(shown).isEqualTo(name.toString());
      assertThat(parsed(shown)).as(shown).isEqualTo(name.toString());
    }
  }

  private static String parsed(String shown) {
    if (shown.equals("\\(empty)")) {
      return "";
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < shown.length(); i++) {
      if (shown.charAt(i) != '\\') {
        bytes.writeBytes(shown.substring(i, i + 1).getBytes(UTF_8));
      } else if (shown.charAt(i + 1) == '\\') {
        bytes.write('\\');
        i++;
      } else {
        bytes.write(HexFormat.fromHexDigits(shown, i + 2, i + 4));
        i += 3;
      }
    }
    return bytes.toString(ISO_8859_1);
  }
}
