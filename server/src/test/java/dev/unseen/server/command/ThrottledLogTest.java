package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottledLogTest {
  @Test
  void one_line_per_minute_is_logged_with_the_number_of_the_others() {
    List<String> lines = new ArrayList<>();
    long[] nanos = {0};
    ThrottledLog log = new ThrottledLog(lines::add, () -> nanos[0]);
    for (int i = 0; i < 130; i++) { // one per second
      log.warn("no " + i);
      nanos[0] += TimeUnit.SECONDS.toNanos(1);
    }
    assertThat(lines)
        .containsExactly(
            "no 0",
            "no 60 (and 59 others like it since the last line)",
            "no 120 (and 59 others like it since the last line)");
  }
}
