package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import org.junit.jupiter.api.Test;

final class ContestTest {
  private static final int ROUND = 100;

  private static Contest warm() {
    Contest contest = new Contest(ROUND);
    for (int i = 0; i < ROUND; i++) {
      contest.record(true, true);
    }
    return contest;
  }

  private static boolean pointForTwin(Contest contest) {
    return contest.record(true, false);
  }

  private static boolean pointForLine(Contest contest) {
    return contest.record(false, true);
  }

  private static Contest keeping() {
    Contest contest = warm();
    while (!pointForTwin(contest)) {}
    for (int i = 0; i < ROUND; i++) {
      contest.record(true, true);
    }
    return contest;
  }

  @Test
  void lines_keep_when_twins_that_do_lead_by_16() {
    Contest contest = warm();
    for (int i = 0; i < 15; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    assertThat(contest.isKeeping()).isFalse();
    assertThat(pointForTwin(contest)).isTrue();
    assertThat(contest.isKeeping()).isTrue();
  }

  @Test
  void they_cease_to_when_twins_that_do_not_lead_by_16() {
    Contest contest = keeping();
    for (int i = 0; i < 15; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    assertThat(pointForTwin(contest)).isTrue();
    assertThat(contest.isKeeping()).isFalse();
  }

  @Test
  void records_that_are_new_to_both_or_to_none_prove_nothing() {
    Contest contest = warm();
    for (int i = 0; i < 1000; i++) {
      contest.record(true, true);
      contest.record(false, false);
    }
    assertThat(pointForTwin(contest)).isFalse();
    assertThat(contest.isKeeping()).isFalse();
  }

  /**
   * If the two ways are equally good, a lead of 16 takes some 13,800 points in the mean, so 100
   * contests of 100 points each prove something with odds of about one half; these seeds do not.
   */
  @Test
  void chance_rarely_proves_anything() {
    for (int seed = 0; seed < 100; seed++) {
      SplitMix64 random = new SplitMix64(seed);
      Contest contest = warm();
      for (int i = 0; i < 100; i++) {
        boolean forTwin = random.chance(1, 2);
        contest.record(forTwin, !forTwin);
      }
      assertThat(contest.isKeeping()).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void however_long_the_lines_were_better_16_points_are_enough() {
    Contest contest = warm();
    for (int i = 0; i < 100_000; i++) {
      pointForLine(contest);
    }
    int points = 1;
    while (!pointForTwin(contest)) {
      points++;
    }
    assertThat(points).isEqualTo(16);
  }

  @Test
  void a_point_for_the_line_outweighs_two_for_the_twin() {
    Contest contest = warm();
    for (int i = 0; i < 10_000; i++) {
      pointForTwin(contest);
      pointForTwin(contest);
      pointForLine(contest);
    }
    assertThat(contest.isKeeping()).isFalse();
  }

  /** A loop: the lines know nothing, so nothing can be lost. */
  @Test
  void in_the_first_round_24_points_are_enough_if_the_lines_know_nothing() {
    Contest contest = new Contest(ROUND);
    for (int i = 0; i < 23; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    assertThat(pointForTwin(contest)).isTrue();
  }

  /** Keys that come twice: the twin knows more in the first round, but the line knows most. */
  @Test
  void in_the_first_round_nothing_is_proved_if_the_lines_know_a_third() {
    Contest contest = new Contest(10_000);
    for (int i = 0; i < 3000; i++) {
      assertThat(pointForTwin(contest)).isFalse();
      assertThat(pointForTwin(contest)).isFalse();
      contest.record(false, false);
    }
    assertThat(contest.isKeeping()).isFalse();
  }

  @Test
  void merged_lines_keep_if_those_of_either_did() {
    Contest contest = warm();
    contest.merge(keeping());
    assertThat(contest.isKeeping()).isTrue();
    Contest other = keeping();
    other.merge(warm());
    assertThat(other.isKeeping()).isTrue();
  }
}
