package dev.unseen.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Generators;
import dev.unseen.testing.Property;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespReaderTest {
  static final RequestLimits LIMITS = new RequestLimits(1000, 100_000, 200_000);

  /** Reads bytes in pieces of these sizes, the last of which is used again and again. */
  static List<String> read(byte[] bytes, int... pieces) throws ProtocolException {
    RespReader reader = new RespReader(LIMITS);
    List<String> found = new ArrayList<>();
    for (int at = 0, i = 0; at < bytes.length; i++) {
      int size = Math.min(bytes.length - at, pieces[Math.min(i, pieces.length - 1)]);
      reader.feed(Unpooled.wrappedBuffer(bytes, at, size));
      at += size;
      for (Request request = reader.next(); request != null; request = reader.next()) {
        found.add(shown(request));
      }
    }
    return found;
  }

  private static String shown(Request request) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < request.count(); i++) {
      words.add(request.binary(i));
    }
    return words.toString();
  }

  private static List<String> read(String text) throws ProtocolException {
    return read(text.getBytes(ISO_8859_1), Integer.MAX_VALUE);
  }

  @Test
  void reads_arrays_and_lines() throws ProtocolException {
    assertThat(read("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\nPING\r\n*1\r\n$0\r\n\r\n"))
        .containsExactly("[ECHO, hi]", "[PING]", "[]".replace("]", "]"));
    assertThat(read("\r\n  \r\n*0\r\n*-1\r\n ping  x \n")).containsExactly("[ping, x]");
    assertThat(read("SET \"a \\x41\\n\\\"\" 'b\\'c' d\\e\r\n"))
        .containsExactly("[SET, a A\n\", b'c, d\\e]");
  }

  @Property
  void any_split_of_the_bytes_gives_the_same_requests(Choices choices) throws ProtocolException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    int requests = choices.draw(Generators.ints(1, 6));
    for (int i = 0; i < requests; i++) {
      int words = choices.draw(Generators.ints(1, 5));
      List<String> all = new ArrayList<>();
      bytes.writeBytes(("*" + words + "\r\n").getBytes(ISO_8859_1));
      for (int w = 0; w < words; w++) {
        byte[] word = choices.draw(Generators.byteArrays());
        bytes.writeBytes(("$" + word.length + "\r\n").getBytes(ISO_8859_1));
        bytes.writeBytes(word);
        bytes.writeBytes("\r\n".getBytes(ISO_8859_1));
        all.add(new String(word, ISO_8859_1));
      }
      expected.add(all.toString());
    }
    int[] pieces = new int[20];
    Arrays.setAll(pieces, i -> choices.draw(Generators.ints(1, 40)));
    assertThat(read(bytes.toByteArray(), pieces)).isEqualTo(expected);
    assertThat(read(bytes.toByteArray(), 1)).isEqualTo(expected);
    assertThat(read(bytes.toByteArray(), Integer.MAX_VALUE)).isEqualTo(expected);
  }

  @Test
  void a_request_larger_than_its_buffer_is_read_and_its_memory_given_back()
      throws ProtocolException {
    String large = "x".repeat(90_000);
    String text = "*2\r\n$4\r\nECHO\r\n$90000\r\n" + large + "\r\nPING\r\n";
    assertThat(read(text.getBytes(ISO_8859_1), 1000))
        .containsExactly("[ECHO, " + large + "]", "[PING]");
  }

  @Test
  void rejects_invalid_and_oversized_requests() {
    rejected("*x\r\n", "invalid multibulk length");
    rejected("*1001\r\n", "1001 arguments, the limit is 1000");
    rejected("*99999999999999999999\r\n", "invalid multibulk length");
    rejected("*1\r\n:1\r\n", "expected '$', got ':'");
    rejected("*1\r\n$-1\r\n", "invalid bulk length");
    rejected("*1\r\n$100001\r\n", "100001 bytes, the limit is 100000");
    rejected("*1\r\n$\r\n", "invalid bulk length");
    rejected("*\r\n", "invalid multibulk length");
    rejected("\"abc\r\n", "unbalanced quotes");
    rejected("\"abc\"d\r\n", "unbalanced quotes");
    rejected("a".repeat(70_000), "too big inline request");
    String third = "$90000\r\n" + "x".repeat(90_000) + "\r\n";
    rejected("*3\r\n" + third + third + third, "larger than 200000 bytes");
  }

  private static void rejected(String text, String why) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ProtocolException.class)
        .hasMessageStartingWith("ERR Protocol error: ")
        .hasMessageContaining(why);
  }
}
