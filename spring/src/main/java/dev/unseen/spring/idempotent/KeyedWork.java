package dev.unseen.spring.idempotent;

import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Work on a key that this caller alone has, until it has succeeded or failed. The first of these
 * calls counts, and later ones do nothing.
 */
final class KeyedWork {
  private static final Log LOG = LogFactory.getLog(KeyedWork.class);

  private final Reservation reservation;
  private final Runnable beforeCommit;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean done;
  private volatile BooleanSupplier counts = () -> false;

  private KeyedWork(Reservation reservation, Runnable beforeCommit) {
    this.reservation = reservation;
    this.beforeCommit = beforeCommit;
  }

  /**
   * Reserves a key.
   *
   * @param beforeCommit is called when the work has succeeded, before the key is marked
   * @throws DuplicateRequestException if the key is in flight, or was processed
   */
  static KeyedWork begin(ReservationStore keys, String key, Runnable beforeCommit) {
    Reservation reservation = keys.reserve(key);
    return switch (reservation.status()) {
      case GRANTED -> new KeyedWork(reservation, beforeCommit);
      case IN_FLIGHT -> throw new DuplicateRequestException(true);
      case DUPLICATE -> throw new DuplicateRequestException(false);
    };
  }

  /** Records whether the work itself is done, so that only its response is still to be sent. */
  void setDone(boolean done) {
    this.done = done;
  }

  /**
   * Takes the result of a method whose work ends with the response. A result that is an error is
   * certain to fail; another one may still do so while it is written.
   */
  void setResult(IdempotentOperation operation, Object value) {
    if (ReturnedValues.isFailure(value)) {
      fail();
    } else {
      setDone(!operation.isFunction() && !ReturnedValues.endsLater(value));
    }
  }

  /** Lets the work count as done from the moment that this holds. */
  void countWhen(BooleanSupplier holds) {
    counts = holds;
  }

  boolean isDone() {
    return done || counts.getAsBoolean();
  }

  boolean isEnded() {
    return ended.get();
  }

  /** Marks the key as processed. */
  void succeed() {
    if (ended.getAndSet(true)) {
      return;
    }
    beforeCommit.run();
    if (!reservation.commit()) {
      LOG.warn(
          "A call took longer than its reservation-timeout, and another call with its key was processed meanwhile; raise the timeout");
    }
  }

  /** Ends work that has returned a value, or null. */
  void end(Object value) {
    if (ReturnedValues.isFailure(value)) {
      fail();
    } else {
      succeed();
    }
  }

  /** Releases the key, so that a retry runs. */
  void fail() {
    if (!ended.getAndSet(true)) {
      reservation.rollback();
    }
  }
}
