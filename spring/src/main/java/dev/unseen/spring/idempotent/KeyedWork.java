package dev.unseen.spring.idempotent;

import dev.unseen.Reservation;
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

  private final KeyHolder holder;
  private final String key;
  private final Recording recording; // null: there is none to save
  private final Reservation reservation;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean returned;
  private volatile boolean done;
  private volatile BooleanSupplier counts = () -> false;

  /**
   * Creates work on a key that was reserved.
   *
   * @param recording is saved before the key is marked, or null
   */
  KeyedWork(KeyHolder holder, String key, Recording recording, Reservation reservation) {
    this.holder = holder;
    this.key = key;
    this.recording = recording;
    this.reservation = reservation;
  }

  /** Returns whether this is work that has not ended, on this key. */
  boolean isOn(KeyHolder otherHolder, String otherKey) {
    return holder.name().equals(otherHolder.name()) && key.equals(otherKey) && !ended.get();
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
    if (CallResult.isFailure(value)) {
      fail();
    } else {
      returned = true;
      setDone(!operation.isFunction() && !CallResult.bodyEndsLater(value));
    }
  }

  /**
   * Lets the work count as done from the moment that this holds: whether a handler that is not
   * known would have continued is not known either, so a response that was begun counts.
   */
  void countWhen(BooleanSupplier holds) {
    returned = true;
    counts = holds;
  }

  /** Returns whether what makes the response has returned, or cannot be known. */
  boolean isReturned() {
    return returned;
  }

  boolean isDone() {
    return done || counts.getAsBoolean();
  }

  /** Marks the key as processed. */
  void succeed() {
    if (ended.getAndSet(true)) {
      return;
    }
    if (recording != null) {
      holder.replays().save(holder.name(), key, recording);
    }
    if (!reservation.commit()) {
      LOG.warn(
          "A call took longer than its reservation-timeout, and another call with its key was processed meanwhile; raise the timeout");
    }
  }

  /** Ends work that has returned a value, or null. */
  void end(Object value) {
    if (CallResult.isFailure(value)) {
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
