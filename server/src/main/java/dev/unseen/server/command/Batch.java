package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/**
 * Collects requests of one kind that follow each other, and decides them together: a filter that is
 * larger than the processor's caches answers a batch much faster than its items one by one.
 */
interface Batch {
  /** Takes in a request, or returns false if it does not belong to the batch. */
  boolean take(Request request);

  /** Decides all that was taken in, and writes the replies in the order of the requests. */
  void finish(RespWriter reply);
}
