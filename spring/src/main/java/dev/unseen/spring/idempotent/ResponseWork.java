package dev.unseen.spring.idempotent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * The work on keys that ends with the response to one request, because the response decides whether
 * it has succeeded. Safe for use by many threads.
 */
final class ResponseWork {
  /** How a response ends. */
  enum End {
    /** It was sent, with a status below 400. */
    SUCCEEDED,
    /** It has a status of 400 or more, or there is none. */
    FAILED,
    /**
     * The client has disconnected before it was sent, although it has a status below 400. Work that
     * was done until then has succeeded: the client lost the response, and will try again.
     */
    ABORTED;

    private static final int ERROR = 400;

    /** Returns how a response with this status ends, if it is sent. */
    static End of(int status) {
      return status < ERROR ? SUCCEEDED : FAILED;
    }

    /** Returns how a response with this status ends, if this exception kept it from being sent. */
    static End of(int status, Throwable failure) {
      return of(status) == SUCCEEDED && isDisconnect(failure) ? ABORTED : FAILED;
    }
  }

  private final IdempotentMethods methods;
  private final Supplier<Object> handler;
  private final Recording recording; // null: responses are not kept
  private final List<KeyedWork> works = new ArrayList<>(1); // mostly there is one
  private volatile boolean begun;
  private boolean ended;

  /**
   * Creates work of a request.
   *
   * @param handler returns what handles the request
   * @param recording of the request, or null if responses are not kept
   */
  ResponseWork(IdempotentMethods methods, Supplier<Object> handler, Recording recording) {
    this.methods = methods;
    this.handler = handler;
    this.recording = recording;
  }

  /** Returns whether an exception means that the client has disconnected. */
  static boolean isDisconnect(Throwable failure) {
    return DisconnectedClientHelper.isClientDisconnectedException(failure);
  }

  /** Returns whether a method is the one that handles the request. */
  boolean isOf(IdempotentOperation operation) {
    return operation.isFunction()
        || (handler.get() instanceof HandlerMethod found
            && methods.isAt(operation, found.getMethod(), found.getBeanType()));
  }

  /**
   * Reserves a key until the response ends. If the request has reserved it already, as when a
   * handler is called again after a failure, it keeps it.
   *
   * @throws DuplicateRequestException if the key is in flight, or was processed; with the response
   *     to the first request, if it is known
   */
  KeyedWork begin(KeyHolder holder, String key) {
    try {
      return reserve(holder, key);
    } catch (DuplicateRequestException e) {
      throw holder.replay(e, key, recording);
    }
  }

  /** Does the same, but never reads a response to a first request. */
  KeyedWork reserve(KeyHolder holder, String key) {
    begun = true;
    return reserveOnce(holder, key);
  }

  private synchronized KeyedWork reserveOnce(KeyHolder holder, String key) {
    if (ended) {
      throw new IllegalStateException(
          "the response to this request has ended; call the method while the request is processed");
    }
    for (KeyedWork work : works) {
      if (work.isOn(holder, key)) {
        return work;
      }
    }
    KeyedWork work = holder.begin(key, recording);
    works.add(work);
    return work;
  }

  /** Records whether the work itself is done, so that only its response is still to be sent. */
  synchronized void setDone(boolean done) {
    works.forEach(each -> each.setDone(done));
  }

  /** Returns the recording of the request, or null if responses are not kept. */
  Recording recording() {
    return recording;
  }

  /** Returns whether a key was, or is about to be, reserved. Never waits for that. */
  boolean isBegun() {
    return begun;
  }

  /** Returns whether there is work, and all that makes the response has returned. */
  synchronized boolean isReturned() {
    return !works.isEmpty() && works.stream().allMatch(KeyedWork::isReturned);
  }

  /** Ends all work. The first call counts. */
  synchronized void end(End end) {
    ended = true;
    for (KeyedWork work : works) {
      if (end == End.SUCCEEDED || (end == End.ABORTED && work.isDone())) {
        work.succeed();
      } else {
        work.fail();
      }
    }
  }
}
