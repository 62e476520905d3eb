package dev.unseen.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/**
 * Any bytes are requests or are rejected, and the same requests however they are split.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl server -am test -Dtest=RespFuzzTest#any* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
class RespFuzzTest {
  @FuzzTest
  void any_bytes_are_requests_or_rejected(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    int piece = 1 + (bytes[0] & 0x1F);
    assertThat(answer(bytes, piece)).isEqualTo(answer(bytes, Integer.MAX_VALUE));
  }

  private static List<String> answer(byte[] bytes, int piece) {
    try {
      return RespReaderTest.read(bytes, piece);
    } catch (ProtocolException e) {
      return List.of(e.getMessage().replaceAll(":.*", ""));
    }
  }
}
