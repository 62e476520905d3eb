package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The requests that a client sends between MULTI and EXEC.
 *
 * <p>EXEC replies with the head of an array and passes the requests on, to be run as if the client
 * sent them then. Each of them gets one reply, so their replies are the elements of the array;
 * batches, slow work and limits are those of any other request.
 */
final class Transaction {
  private enum State {
    NONE,
    QUEUING,
    ABORTED,
    EXECUTING
  }

  private final Queue<Request> queue = new ArrayDeque<>();
  private State state = State.NONE;
  boolean changes; // whether a request in the queue changes something
  long bytes; // of the requests in the queue

  /** Returns whether MULTI was sent, and neither EXEC nor DISCARD after it. */
  boolean isOpen() {
    return state == State.QUEUING || state == State.ABORTED;
  }

  /** Returns whether a request was rejected since MULTI. */
  boolean isAborted() {
    return state == State.ABORTED;
  }

  /** Returns whether EXEC was sent, and some of its requests are still to be run. */
  boolean isExecuting() {
    return state == State.EXECUTING;
  }

  /** Queues what follows. */
  void begin() {
    state = State.QUEUING;
  }

  /** Keeps a copy of a request until EXEC, unless the transaction is aborted. */
  void add(Request request, boolean change) {
    if (state == State.QUEUING) {
      state = State.ABORTED; // if there is no memory for the copy
      Request copy = request.copy();
      queue.add(copy);
      bytes += copy.memoryBytes();
      changes |= change;
      state = State.QUEUING;
    }
  }

  /** Drops the queue after a request was rejected: EXEC must not execute the others. */
  void abort() {
    clear(State.ABORTED);
  }

  /** Ends the transaction and drops its queue. */
  void discard() {
    clear(State.NONE);
  }

  private void clear(State next) {
    queue.clear();
    bytes = 0;
    changes = false;
    state = next;
  }

  /** Returns the number of requests in the queue. */
  int size() {
    return queue.size();
  }

  /** Ends the queue and has {@link #next} return its requests. */
  void execute() {
    state = queue.isEmpty() ? State.NONE : State.EXECUTING;
  }

  /** Returns the next request that EXEC has to run, or null if there is none. */
  Request next() {
    if (state != State.EXECUTING) {
      return null;
    }
    Request next = queue.remove();
    bytes -= next.memoryBytes();
    if (queue.isEmpty()) {
      discard();
    }
    return next;
  }
}
