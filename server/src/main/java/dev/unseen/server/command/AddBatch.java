package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;

/** Collects {@code BF.ADD} of one filter. */
final class AddBatch implements Batch {
  private final Keyspace keyspace;
  private final long[] hashes;
  private final long[] fresh;
  private byte[] name = new byte[0];
  private ServedFilter filter; // null: the batch is empty
  private int count;

  AddBatch(Keyspace keyspace, Client client) {
    this.keyspace = keyspace;
    this.hashes = client.hashes();
    this.fresh = client.fresh();
  }

  @Override
  public boolean take(Request request) {
    if (request.count() != 3 || count == Client.BATCH) {
      return false;
    }
    if (count == 0) {
      filter = keyspace.find(request.binary(1));
      if (filter == null || !filter.takesBatches()) {
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
  public void finish(RespWriter reply) {
    int taken = count;
    count = 0;
    filter.admitAll(hashes, taken, fresh, keyspace.journal());
    for (int i = 0; i < taken; i++) {
      reply.bool(((fresh[i >>> 6] >>> i) & 1) != 0);
    }
  }
}
