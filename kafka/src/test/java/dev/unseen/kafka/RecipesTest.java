package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of docs/recipes.md that removes events that Debezium has written again. */
class RecipesTest {
  private final TestKafka kafka = TestKafka.shared();
  @TempDir private Path directory;

  private static byte[] event(long lsn, String op, String before, String after) {
    return "{\"payload\":{\"before\":%s,\"after\":%s,\"source\":{\"lsn\":%d,\"txId\":%d},\"op\":\"%s\"}}"
        .formatted(before, after, lsn, lsn / 10, op)
        .getBytes(UTF_8);
  }

  @Test
  void events_that_come_again_after_a_restart_are_removed() throws Exception {
    String in = kafka.topic("orders", 1);
    String to = kafka.topic("once", 1);
    String row = "{\"id\":1,\"state\":\"new\"}";
    String paid = "{\"id\":1,\"state\":\"paid\"}";
    byte[] create = event(100, "c", "null", row);
    byte[] update = event(101, "u", row, paid);
    byte[] delete = event(102, "d", paid, "null");
    byte[] again = event(103, "c", "null", row); // the same row, inserted again
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    byte[] key = "{\"payload\":{\"id\":1}}".getBytes(UTF_8);
    for (byte[] value : new byte[][] {create, update, delete, null, update, delete, null, again}) {
      records.add(new ProducerRecord<>(in, key, value));
    }
    kafka.sendAll(records);

    String page = Files.readString(Path.of("..", "docs", "recipes.md"), UTF_8);
    String command =
        page.lines().filter(line -> line.startsWith("./unseen kafka ")).findFirst().orElseThrow();
    List<String> args =
        new ArrayList<>(
            Arrays.asList(
                command
                    .substring("./unseen kafka ".length())
                    .replace("localhost:9092", kafka.address())
                    .replace("shop.public.orders.once", to)
                    .replace("shop.public.orders", in)
                    .split(" ", -1)));
    args.addAll(List.of("--exit-at-end", "--state-dir", directory.toString()));
    StringWriter err = new StringWriter();
    assertThat(
            new UnseenKafka()
                .run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(err, true),
                    args.toArray(String[]::new)))
        .as(err.toString())
        .isZero();
    assertThat(kafka.read(to).stream().map(record -> record.value()))
        .containsExactly(create, update, delete, null, null, again);
  }
}
