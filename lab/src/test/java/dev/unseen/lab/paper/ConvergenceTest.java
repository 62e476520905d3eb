package dev.unseen.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.lab.trial.Tally;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConvergenceTest {
  private static List<Tally> loads(double... loads) {
    List<Tally> along = new ArrayList<>();
    for (double load : loads) {
      along.add(new Tally(100L * (along.size() + 1), 0, 0, 0, load));
    }
    return along;
  }

  @Test
  void is_where_a_rising_load_reaches_95_percent_of_its_last_value() {
    assertThat(Convergence.records(loads(0.3, 0.6, 0.9, 1, 1))).isCloseTo(350, within(1e-9));
  }

  @Test
  void is_where_a_load_that_was_too_high_comes_back() {
    assertThat(Convergence.records(loads(1, 1.2, 1.1, 1, 1))).isCloseTo(350, within(1e-9));
  }

  @Test
  void is_before_the_first_tally_if_the_load_has_settled_there() {
    assertThat(Convergence.records(loads(1, 1, 1))).isCloseTo(95, within(1e-9));
  }
}
