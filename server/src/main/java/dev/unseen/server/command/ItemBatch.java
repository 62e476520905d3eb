package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;

/** Collects requests that consist of a command, the name of a filter and an item. */
abstract class ItemBatch extends RequestBatch {
  final Keyspace keyspace;
  private final long[] hashes;
  private final long[] answers;
  private byte[] name = new byte[0];
  private ServedFilter filter; // null: the batch is empty
  private int count;

  ItemBatch(Keyspace keyspace, Client client, String command, Rights rights) {
    super(command, rights);
    this.keyspace = keyspace;
    this.hashes = client.hashes();
    this.answers = client.fresh();
  }

  /** Returns whether requests to this filter can be collected. */
  abstract boolean suits(ServedFilter chosen);

  /** Decides the items. */
  abstract void decide(ServedFilter chosen, long[] items, int number, long[] yes);

  @Override
  final boolean take(Request request) {
    if (request.count() != 3 || count == Client.BATCH) {
      return false;
    }
    if (count == 0) {
      filter = keyspace.find(request.binary(1));
      if (filter == null || !suits(filter)) {
        return false;
      }
      if (!request.equal(1, name)) {
        name = request.copy(1);
      }
    } else if (!request.equal(1, name)) {
      return false;
    }
    hashes[count++] = request.hash(2, filter.hash());
    return true;
  }

  @Override
  final void finish(RespWriter reply) {
    int taken = count;
    count = 0;
    decide(filter, hashes, taken, answers);
    for (int i = 0; i < taken; i++) {
      reply.bool(((answers[i >>> 6] >>> i) & 1) != 0);
    }
  }
}
