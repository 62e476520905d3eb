package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.io.Cutting.Piece;
import java.util.Arrays;
import java.util.List;

/**
 * Any bytes are JSON for us only if they are for Jackson, with the same key, and no line is lost.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl io -am test -Dtest=JsonFuzzTest#what* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
class JsonFuzzTest {
  @FuzzTest
  void what_the_scanner_takes_jackson_takes_with_the_same_key(byte[] bytes) {
    for (KeySpec key : JsonScannerTest.KEYS) {
      JsonScannerTest.agrees(bytes, key);
    }
  }

  @FuzzTest
  void lines_are_records_or_reported_with_their_trouble_and_no_byte_is_lost(byte[] bytes) {
    for (KeySpec key : JsonScannerTest.KEYS) {
      RecordCutter cutter = RecordFormat.JSONL.cutter(RecordSpec.of(key), "in");
      List<Piece> pieces = Cutting.pieces(cutter, bytes, Arrays.hashCode(bytes));
      if (pieces.stream().noneMatch(piece -> piece.what().equals("failure"))) {
        assertThat(Cutting.text(pieces)).isEqualTo(new String(bytes, ISO_8859_1));
      }
    }
  }

  @FuzzTest
  void values_that_follow_each_other_are_cut_and_no_byte_is_lost(byte[] bytes) {
    for (KeySpec key : JsonScannerTest.KEYS) {
      RecordCutter cutter = RecordFormat.JSON.cutter(RecordSpec.of(key), "in");
      List<Piece> pieces = Cutting.pieces(cutter, bytes, Arrays.hashCode(bytes));
      if (pieces.stream().noneMatch(piece -> piece.what().equals("failure"))) {
        assertThat(Cutting.text(pieces)).isEqualTo(new String(bytes, ISO_8859_1));
      }
    }
  }
}
