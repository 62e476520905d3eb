package dev.unseen.camel;

import dev.unseen.testing.PackageCycles;
import org.junit.jupiter.api.Test;

final class PackageCyclesTest {
  @Test
  void packages_form_no_cycle() {
    PackageCycles.check(UnseenIdempotentRepository.class);
  }
}
