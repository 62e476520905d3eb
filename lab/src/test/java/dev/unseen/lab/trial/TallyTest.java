package dev.unseen.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TallyTest {
  private static List<Tally> loads(double... loads) {
    List<Tally> along = new ArrayList<>();
    for (double load : loads) {
      along.add(new Tally(100L * (along.size() + 1), 0, 0, 0, load));
    }
    return along;
  }

  @Test
  void a_load_settles_where_it_rises_to_95_percent_of_its_last_value() {
    assertThat(Tally.recordsUntilSettled(loads(0.3, 0.6, 0.9, 1, 1))).isCloseTo(350, within(1e-9));
  }

  @Test
  void a_load_that_was_too_high_settles_where_it_comes_back() {
    assertThat(Tally.recordsUntilSettled(loads(1, 1.2, 1.1, 1, 1))).isCloseTo(350, within(1e-9));
  }

  @Test
  void a_load_may_settle_before_the_first_tally() {
    assertThat(Tally.recordsUntilSettled(loads(1, 1, 1))).isCloseTo(95, within(1e-9));
  }
}
