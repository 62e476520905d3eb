package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;

/**
 * Collects requests that consist of a command, the name of a filter and an item: {@code BF.ADD} and
 * {@code UN.ADMIT} without a time, or {@code BF.EXISTS}.
 */
final class ItemBatch extends RequestBatch {
  private byte[] name = new byte[0];
  private ServedFilter filter; // null: the batch is empty

  ItemBatch(Rights rights, Keyspace keyspace, Client client) {
    super(rights, keyspace, client);
  }

  @Override
  boolean take(Request request) {
    if (request.count() != 3 || items.count() == Client.BATCH) {
      return false;
    }
    if (items.count() == 0) {
      filter = keyspace.find(request.binary(1));
      if (filter == null || (rights == Rights.WRITE && !filter.takesBatches())) {
        return false;
      }
      if (!request.equal(1, name)) {
        name = request.copy(1);
      }
    } else if (!request.equal(1, name)) {
      return false;
    }
    RequestItems.add(request, 2, filter, items);
    return true;
  }

  @Override
  void decide(long[] answers) {
    if (rights == Rights.WRITE) {
      filter.admitAll(items, answers, keyspace.journal());
    } else {
      filter.containsAll(items, answers);
    }
  }

  @Override
  void write(boolean answer, RespWriter reply) {
    reply.bool(answer);
  }
}
