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

  /** 36 points to nothing are six roots of 36. */
  @Test
  void lines_keep_when_twins_that_do_lead_by_six_roots() {
    Contest contest = warm();
    for (int i = 0; i < 35; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    assertThat(contest.isKeeping()).isFalse();
    assertThat(pointForTwin(contest)).isTrue();
    assertThat(contest.isKeeping()).isTrue();
  }

  /** 16 points to nothing are four roots of 16: what is new is not to be forgotten for long. */
  @Test
  void they_cease_to_when_twins_that_do_not_lead_by_four() {
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

  /** Two ways that are equally good: a lead of six roots is one in millions for each record. */
  @Test
  void chance_proves_nothing() {
    for (int seed = 0; seed < 200; seed++) {
      SplitMix64 random = new SplitMix64(seed);
      Contest contest = warm();
      for (int i = 0; i < 1000; i++) {
        boolean forTwin = random.chance(1, 2);
        contest.record(forTwin, !forTwin);
      }
      assertThat(contest.isKeeping()).isFalse();
    }
  }

  /** However long the lines were better, some hundred points are enough to change. */
  @Test
  void old_points_are_forgotten() {
    Contest contest = warm();
    for (int i = 0; i < 100_000; i++) {
      pointForLine(contest);
    }
    int points = 1;
    while (!pointForTwin(contest)) {
      points++;
    }
    assertThat(points).isBetween(100, 300);
  }

  @Test
  void nothing_counts_in_the_first_round() {
    Contest contest = new Contest(ROUND);
    for (int i = 0; i < ROUND; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    for (int i = 0; i < 35; i++) {
      assertThat(pointForTwin(contest)).isFalse();
    }
    assertThat(pointForTwin(contest)).isTrue();
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
