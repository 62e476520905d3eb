package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;

/** Collects {@code SET key value NX} of one expiry. */
final class SetBatch extends RequestBatch {
  private long millis;

  SetBatch(Keyspace keyspace, Client client) {
    super(Rights.WRITE, keyspace, client);
  }

  @Override
  boolean take(Request request) {
    if (items.count() == Client.BATCH) {
      return false;
    }
    long expiry = SetCommands.expiryOrNone(request);
    boolean first = items.count() == 0;
    if (expiry == SetCommands.NONE
        || (first ? !keyspace.setKeys().isPrepared(expiry) : expiry != millis)) {
      return false;
    }
    millis = expiry;
    RequestItems.add(request, 1, keyspace.setKeys(), items);
    return true;
  }

  @Override
  void decide(long[] answers) {
    keyspace.setKeys().setAll(items, millis, answers);
  }

  @Override
  void write(boolean fresh, RespWriter reply) {
    SetCommands.Answer.OK.write(fresh, reply);
  }
}
