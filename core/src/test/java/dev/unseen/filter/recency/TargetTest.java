package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import org.junit.jupiter.api.Test;

final class TargetTest {
  private static final int CAPACITY = 26;
  private static final int FOLLOWER = 6; // where the first line of a filter begins: see Words
  private static final int LEADER = FOLLOWER + 8 * 8;
  private static final long LANE = 1L << 32;

  @Test
  void begins_at_three_fifths_of_the_lanes() {
    assertThat(new Target(CAPACITY, 1000, true).lanes()).isEqualTo(CAPACITY * 3 / 5);
  }

  /** If one key is nearly lost in each line, the target moves by 128 lanes. */
  @Test
  void moves_by_a_step_that_fits_the_number_of_lines() {
    Target target = new Target(CAPACITY, 6400, true);
    long before = target.value();
    target.raise(FOLLOWER);
    assertThat(target.value() - before).isEqualTo(LANE / 50);
    target.lower(FOLLOWER);
    assertThat(target.value()).isEqualTo(before);
  }

  @Test
  void a_leader_weighs_four_times_as_much_but_half_a_lane_at_most() {
    Target target = new Target(CAPACITY, 6400, true);
    long before = target.value();
    target.lower(LEADER);
    assertThat(before - target.value()).isEqualTo(4 * (LANE / 50));
    Target ofFewLines = new Target(CAPACITY, 1, true);
    before = ofFewLines.value();
    ofFewLines.raise(LEADER);
    assertThat(ofFewLines.value() - before).isEqualTo(LANE / 2);
  }

  @Property(tries = 50)
  void stays_between_nothing_and_all_lanes(Choices choices) {
    int capacity = choices.draw("capacity", ints(10, 63));
    Target target = new Target(capacity, 1, true);
    for (int i = 0; i < 200; i++) {
      target.raise(FOLLOWER);
    }
    assertThat(target.lanes()).isEqualTo(capacity);
    for (int i = 0; i < 200; i++) {
      target.lower(FOLLOWER);
    }
    assertThat(target.value()).isZero();
  }

  /** Of 20 lanes, from 14 on; once sorted, down to 11. A leader is never sorted for long. */
  @Test
  void sorts_full_lines_while_it_is_high() {
    Target target = new Target(20, 1000, true);
    target.set(14 * LANE - 1);
    assertThat(target.sorts(FOLLOWER)).isFalse();
    target.set(14 * LANE);
    assertThat(target.sorts(FOLLOWER)).isTrue();
    assertThat(target.isQuick(0)).isFalse();
    assertThat(target.sorts(LEADER)).isFalse();
    target.set(11 * LANE);
    assertThat(target.sorts(FOLLOWER)).isFalse();
    assertThat(target.staysSorted(FOLLOWER)).isTrue();
    assertThat(target.staysSorted(LEADER)).isFalse();
    target.set(11 * LANE - 1);
    assertThat(target.staysSorted(FOLLOWER)).isFalse();

    Target never = new Target(20, 1000, false);
    never.set(20 * LANE);
    assertThat(never.sorts(FOLLOWER)).isFalse();
  }

  /** No line ages if the target is full, and each one at three quarters. */
  @Property
  void ages_lines_the_more_the_lower_it_is(Choices choices) {
    long fingerprint = choices.draw("fingerprint", longs());
    Target target = new Target(20, 1000, true);
    target.set(20 * LANE);
    assertThat(target.ages(fingerprint)).isFalse();
    target.set(15 * LANE);
    assertThat(target.ages(fingerprint)).isTrue();
  }

  @Test
  void two_targets_become_their_mean() {
    Target a = new Target(20, 1000, true);
    Target b = new Target(20, 1000, true);
    a.set(4 * LANE);
    b.set(10 * LANE);
    a.merge(b);
    assertThat(a.value()).isEqualTo(7 * LANE);
  }
}
