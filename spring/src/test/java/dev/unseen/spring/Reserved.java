package dev.unseen.spring;

import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import dev.unseen.ReservationLimitException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reserves keys of others, until there is no room for more. */
public final class Reserved implements AutoCloseable {
  private final List<Reservation> reserved = new ArrayList<>();

  /**
   * Reserves all, after requests whose clients have their response, but which have not yet ended.
   */
  public static Reserved all(Deduplicator<String> keys) {
    await().atMost(Duration.ofMinutes(1)).until(() -> keys.report().inFlight() == 0);
    Reserved all = new Reserved();
    try {
      while (true) {
        all.reserved.add(keys.reserve("key of another " + all.reserved.size()));
      }
    } catch (ReservationLimitException e) {
      return all;
    }
  }

  @Override
  public void close() {
    reserved.forEach(Reservation::rollback);
  }
}
