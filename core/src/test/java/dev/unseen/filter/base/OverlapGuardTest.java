package dev.unseen.filter.base;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ConcurrentModificationException;
import org.junit.jupiter.api.Test;

final class OverlapGuardTest {
  private final OverlapGuard guard = new OverlapGuard();

  @Test
  void a_second_thread_is_rejected_and_the_first_is_not_disturbed() {
    guard.enter();
    assertThatThrownBy(guard::enter).isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(guard::requireIdle).isInstanceOf(ConcurrentModificationException.class);
    guard.exit();
    guard.enterIntact();
    guard.exit();
  }

  /** Two threads that enter in the same moment do not see each other; the last one notices. */
  @Test
  void an_overlap_that_was_not_prevented_spoils_the_state_until_it_is_renewed() {
    guard.enter(); // both threads
    guard.exit();
    assertThatThrownBy(guard::exit).isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(guard::enterIntact)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("neither saved, copied nor merged")
        .hasMessageContaining("build it with concurrent()");
    assertThatCode(guard::enter).doesNotThrowAnyException();
    guard.exit();
    guard.renew();
    assertThatCode(guard::enterIntact).doesNotThrowAnyException();
  }
}
