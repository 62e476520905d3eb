package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeduplicationTest {
  private final TestKafka kafka = TestKafka.shared();
  @TempDir private Path state;

  static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "n" + i).toList();
  }

  @Test
  void each_key_comes_through_once() throws Exception {
    String in = kafka.topic("in", 3);
    String out = kafka.topic("out", 3);
    String id = TestKafka.name("app");
    kafka.send(in, numbers(0, 2000));
    kafka.send(in, numbers(1000, 3000));
    try (TestApplication app =
        TestApplication.start(
            TestApplication.once(in, out, TestApplication.byKey(Memory.MiB(3)).seed(0)),
            TestApplication.config(kafka.address(), id, state, Map.of()))) {
      app.await(kafka, in);
    }
    assertThat(kafka.texts(out)).containsExactlyInAnyOrderElementsOf(numbers(0, 3000));
  }
}
