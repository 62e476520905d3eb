package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;

/**
 * Collects requests of one kind that follow each other, and decides them together: a filter that is
 * larger than the processor's caches answers a batch much faster than its items one by one.
 */
abstract class RequestBatch {
  final Rights rights;
  final Keyspace keyspace;
  final Items items; // of the requests; the batches of a client share it, as one is open at a time

  /**
   * Creates an empty batch.
   *
   * @param rights what a user needs for it
   */
  RequestBatch(Rights rights, Keyspace keyspace, Client client) {
    this.rights = rights;
    this.keyspace = keyspace;
    this.items = client.items;
  }

  /** Adds a request, or returns false if it does not belong to the batch. */
  abstract boolean take(Request request);

  /** Decides the items, with a bit for each. */
  abstract void decide(long[] answers);

  abstract void write(boolean answer, RespWriter reply);

  /**
   * Decides all requests, and writes the replies in their order. The batch is empty then.
   *
   * @throws dev.unseen.server.store.StoreException if the store rejects them, before any reply
   */
  final void finish(long[] answers, RespWriter reply) {
    int taken = items.count();
    try {
      decide(answers);
    } finally {
      items.clear();
    }
    for (int i = 0; i < taken; i++) {
      write(((answers[i >>> 6] >>> i) & 1) != 0, reply);
    }
  }
}
