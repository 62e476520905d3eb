package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;

/** Collects {@code SET key value NX} of one expiry. */
final class SetBatch extends RequestBatch {
  private final Keyspace keyspace;
  private final Items keys;
  private final long[] fresh;
  private long millis;

  SetBatch(Keyspace keyspace, Client client) {
    super(Rights.WRITE);
    this.keyspace = keyspace;
    this.keys = client.items();
    this.fresh = client.fresh();
  }

  @Override
  boolean take(Request request) {
    if (keys.count() == Client.BATCH) {
      return false;
    }
    long expiry = SetCommands.expiryOrNone(request);
    if (expiry == SetCommands.NONE || (keys.count() > 0 && expiry != millis)) {
      return false;
    }
    if (keys.count() == 0 && !keyspace.setKeys().isPrepared(expiry)) {
      return false;
    }
    millis = expiry;
    RequestItems.add(request, 1, keyspace.setKeys(), keys);
    return true;
  }

  @Override
  int count() {
    return keys.count();
  }

  @Override
  void finish(RespWriter reply) {
    int taken = keys.count();
    try {
      keyspace.setKeys().setAll(keys, millis, fresh);
    } finally {
      keys.clear();
    }
    for (int i = 0; i < taken; i++) {
      if (((fresh[i >>> 6] >>> i) & 1) != 0) {
        reply.simple("OK");
      } else {
        reply.nil();
      }
    }
  }
}
