package dev.unseen.io;

import static dev.unseen.io.Reading.drops;
import static dev.unseen.io.Reading.keys;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntegerFormatTest {
  @Property
  void every_four_or_eight_bytes_are_a_key(Choices choices) throws IOException {
    List<Integer> values = choices.draw("values", lists(ints(), 0, 200));
    boolean wide = choices.draw("wide", booleans());
    long seed = choices.draw("seed", longs());
    int most = choices.draw("most", ints(1, 50));
    int width = wide ? 8 : 4;
    byte[] bytes = new byte[values.size() * width];
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values.get(i / width) >> i);
      text.append((char) (bytes[i] & 0xFF));
    }
    RecordFormat format = wide ? RecordFormat.INT64BE : RecordFormat.INT32BE;
    assertThat(keys(KeyReader.of(drops(bytes, seed, most), "in", format, RecordSpec.WHOLE_RECORDS)))
        .isEqualTo(
            IntStream.range(0, values.size())
                .mapToObj(i -> text.substring(i * width, (i + 1) * width))
                .toList());
  }

  @Test
  void an_integer_that_is_cut_off_is_reported() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys(new byte[4003], RecordFormat.INT32BE, KeySpec.WHOLE_RECORD))
        .withMessage(
            "in ends within record 1001: its length of 4003 is not a multiple of 4 bytes; is its format int32be?");
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys(new byte[1], RecordFormat.INT64BE, KeySpec.WHOLE_RECORD))
        .withMessage(
            "in ends within record 1: its length of 1 is not a multiple of 8 bytes; is its format int64be?");
  }
}
