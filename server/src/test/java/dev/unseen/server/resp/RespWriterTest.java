package dev.unseen.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RespWriterTest {
  private static String written(int protocol, Consumer<RespWriter> what) {
    RespWriter writer = new RespWriter();
    writer.protocol(protocol);
    what.accept(writer);
    ByteBuf bytes = writer.take(UnpooledByteBufAllocator.DEFAULT);
    assertThat(writer.length()).isZero();
    String text = bytes.toString(UTF_8);
    bytes.release();
    return text;
  }

  private static void both(Consumer<RespWriter> what, String resp2, String resp3) {
    assertThat(written(2, what)).isEqualTo(resp2);
    assertThat(written(3, what)).isEqualTo(resp3);
  }

  @Test
  void each_type_has_its_form_in_both_versions() {
    both(w -> w.simple("OK"), "+OK\r\n", "+OK\r\n");
    both(w -> w.error("ERR a\r\nb"), "-ERR a  b\r\n", "-ERR a  b\r\n");
    both(w -> w.integer(-12), ":-12\r\n", ":-12\r\n");
    both(w -> w.bool(true), ":1\r\n", "#t\r\n");
    both(w -> w.bool(false), ":0\r\n", "#f\r\n");
    both(w -> w.number(0.25), "$4\r\n0.25\r\n", ",0.25\r\n");
    both(w -> w.number(3), "$1\r\n3\r\n", ",3\r\n");
    both(w -> w.bulk("é"), "$2\r\né\r\n", "$2\r\né\r\n");
    both(RespWriter::nil, "$-1\r\n", "_\r\n");
    both(w -> w.array(2), "*2\r\n", "*2\r\n");
    both(w -> w.map(2), "*4\r\n", "%2\r\n");
    both(w -> w.set(10), "*10\r\n", "~10\r\n");
    both(w -> w.verbatim("hi"), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n");
    both(
        w -> w.bulk("x".repeat(9000)),
        "$9000\r\n" + "x".repeat(9000) + "\r\n",
        "$9000\r\n" + "x".repeat(9000) + "\r\n");
  }
}
