package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ExpiryGridTest {
  @Test
  void usual_expiries_are_in_the_grid() {
    long[] seconds = {
      1, 2, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 7200, 43_200, 86_400, 172_800
    };
    long[] days = {7, 14, 30, 90, 180, 365};
    for (long each : seconds) {
      assertThat(ExpiryGrid.roundUp(each * 1000)).isEqualTo(each * 1000);
    }
    for (long each : days) {
      assertThat(ExpiryGrid.roundUp(each * 86_400_000)).isEqualTo(each * 86_400_000);
    }
  }

  @Test
  void others_are_rounded_up_by_less_than_twice() {
    long before = 0;
    for (double expiry = 100; expiry <= ExpiryGrid.LONGEST; expiry *= 1.003) {
      long millis = (long) expiry;
      long rounded = ExpiryGrid.roundUp(millis);
      assertThat(rounded).isBetween(Math.max(before, millis), 2 * millis);
      before = rounded;
    }
    assertThat(ExpiryGrid.roundUp(1)).isEqualTo(100);
    assertThatThrownBy(() -> ExpiryGrid.roundUp(ExpiryGrid.LONGEST + 1))
        .isInstanceOf(StoreException.class);
  }
}
