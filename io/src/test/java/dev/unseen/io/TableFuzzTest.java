package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.io.Cutting.Piece;
import java.util.Arrays;
import java.util.List;

/**
 * Any bytes are cut into the records that FastCSV reads, and none is lost.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl io -am test -Dtest=TableFuzzTest#records* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
class TableFuzzTest {
  private static final KeySpec[] KEYS = {
    KeySpec.WHOLE_RECORD, KeySpec.of("1"), KeySpec.of("2,1"), KeySpec.of("a")
  };

  @FuzzTest
  void records_are_those_of_fastcsv(byte[] bytes) {
    if (bytes.length >= 2 && ((bytes[0] ^ bytes[1]) & 0xFF) == 1 && (bytes[0] & 0xFE) == 0xFE) {
      return; // UTF-16, which only we reject
    }
    for (KeySpec key : KEYS) {
      TableCutterTest.assertAgreesWithFastCsv(bytes, key, Arrays.hashCode(bytes));
    }
  }

  @FuzzTest
  void no_byte_is_lost(byte[] bytes) {
    for (KeySpec key : KEYS) {
      List<Piece> pieces =
          Cutting.pieces(TableCutterTest.cutter(key), bytes, Arrays.hashCode(bytes));
      if (pieces.stream().noneMatch(piece -> piece.what().equals("failure"))) {
        assertThat(Cutting.text(pieces)).isEqualTo(new String(bytes, ISO_8859_1));
      }
    }
  }
}
