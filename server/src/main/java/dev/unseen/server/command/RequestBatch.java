package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/**
 * Collects requests of one kind that follow each other, and decides them together: a filter that is
 * larger than the processor's caches answers a batch much faster than its items one by one.
 */
abstract class RequestBatch {
  private final Rights rights;

  /**
   * Creates an empty batch.
   *
   * @param rights what a user needs for it
   */
  RequestBatch(Rights rights) {
    this.rights = rights;
  }

  final Rights rights() {
    return rights;
  }

  /** Adds a request, or returns false if it does not belong to the batch. */
  abstract boolean take(Request request);

  /** Returns the number of requests in the batch. */
  abstract int count();

  /**
   * Decides all requests, and writes the replies in their order. The batch is empty then.
   *
   * @throws dev.unseen.server.store.StoreException if the store rejects them, before any reply
   */
  abstract void finish(RespWriter reply);
}
