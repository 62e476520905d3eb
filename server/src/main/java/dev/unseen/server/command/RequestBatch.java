package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/**
 * Collects requests of one kind that follow each other, and decides them together: a filter that is
 * larger than the processor's caches answers a batch much faster than its items one by one.
 */
abstract class RequestBatch {
  private final String command;
  private final Rights rights;

  /**
   * Creates an empty batch.
   *
   * @param command the name of the command in small letters
   * @param rights what a user needs for it
   */
  RequestBatch(String command, Rights rights) {
    this.command = command;
    this.rights = rights;
  }

  final String command() {
    return command;
  }

  final Rights rights() {
    return rights;
  }

  /** Adds a request, or returns false if it does not belong to the batch. */
  abstract boolean take(Request request);

  /** Decides all requests, and writes the replies in their order. Returns their number. */
  abstract int finish(RespWriter reply);
}
