package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.io.Cutting.Piece;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Any bytes are cut into the records that FastCSV reads, and none is lost.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl io -am test -Dtest=CsvFuzzTest#records* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
class CsvFuzzTest {
  private static final KeySpec NAMED = KeySpec.of("a");
  private static final KeySpec[] KEYS = {
    KeySpec.WHOLE_RECORD, KeySpec.of("1"), KeySpec.of("2,1"), NAMED
  };

  @FuzzTest
  void records_are_those_of_fastcsv(byte[] bytes) throws IOException {
    if (Compression.of(bytes) != Compression.NONE) {
      return; // the reader unpacks it, and the cutter takes it as it is
    }
    for (KeySpec key : KEYS) {
      if (!key.equals(NAMED) || !isBlank(bytes)) { // only the reader minds that there is no header
        CsvCutterTest.assertAgreesWithFastCsv(bytes, key, Arrays.hashCode(bytes));
      }
    }
  }

  private static boolean isBlank(byte[] bytes) {
    return Cutting.pieces(CsvCutterTest.cutter(NAMED), bytes, 0).stream()
        .allMatch(piece -> piece.what().equals("blank") || piece.what().equals("mark"));
  }

  @FuzzTest
  void no_byte_is_lost(byte[] bytes) {
    for (KeySpec key : KEYS) {
      List<Piece> pieces = Cutting.pieces(CsvCutterTest.cutter(key), bytes, Arrays.hashCode(bytes));
      if (pieces.stream().noneMatch(piece -> piece.what().equals("failure"))) {
        assertThat(Cutting.text(pieces)).isEqualTo(new String(bytes, ISO_8859_1));
      }
    }
  }
}
