package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.StoreException;

/** Collects {@code SET key value NX} of one expiry. */
final class SetBatch extends RequestBatch {
  private final Keyspace keyspace;
  private final long[] hashes;
  private final long[] fresh;
  private long millis;
  private int count;

  SetBatch(Keyspace keyspace, Client client) {
    super("set", Rights.WRITE);
    this.keyspace = keyspace;
    this.hashes = client.hashes();
    this.fresh = client.fresh();
  }

  @Override
  boolean take(Request request) {
    if (count == Client.BATCH) {
      return false;
    }
    long expiry = SetCommands.expiryOrNone(request);
    if (expiry == SetCommands.NONE || (count > 0 && expiry != millis)) {
      return false;
    }
    if (count == 0 && !keyspace.setKeys().isPrepared(expiry)) {
      return false;
    }
    millis = expiry;
    hashes[count++] = request.hash(1, keyspace.setKeys().hash());
    return true;
  }

  @Override
  int finish(RespWriter reply) {
    int taken = count;
    count = 0;
    try {
      keyspace.setKeys().setAll(hashes, taken, millis, fresh);
    } catch (StoreException e) {
      String error = ErrorReplies.of(e);
      for (int i = 0; i < taken; i++) {
        reply.error(error);
      }
      return taken;
    }
    for (int i = 0; i < taken; i++) {
      if (((fresh[i >>> 6] >>> i) & 1) != 0) {
        reply.simple("OK");
      } else {
        reply.nil();
      }
    }
    return taken;
  }
}
