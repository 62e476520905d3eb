package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import java.util.function.Predicate;

/** Collects requests that consist of a command, the name of a filter and an item. */
final class ItemBatch extends RequestBatch {
  private final Keyspace keyspace;
  private final Predicate<ServedFilter> suits;
  private final Decision decision;
  private final Items items;
  private final long[] answers;
  private byte[] name = new byte[0];
  private ServedFilter filter; // null: the batch is empty

  /** Decides the items of a batch. */
  private interface Decision {
    void decide(ServedFilter filter, Items items, long[] answers);
  }

  private ItemBatch(
      Rights rights,
      Keyspace keyspace,
      Client client,
      Predicate<ServedFilter> suits,
      Decision decision) {
    super(rights);
    this.keyspace = keyspace;
    this.suits = suits;
    this.decision = decision;
    this.items = client.items();
    this.answers = client.fresh();
  }

  /** Creates a batch of {@code BF.ADD}, and of {@code UN.ADMIT} without a time. */
  static ItemBatch ofAdds(Keyspace keyspace, Client client) {
    return new ItemBatch(
        Rights.WRITE,
        keyspace,
        client,
        ServedFilter::takesBatches,
        (filter, items, fresh) -> filter.admitAll(items, fresh, keyspace.journal()));
  }

  /** Creates a batch of {@code BF.EXISTS}. */
  static ItemBatch ofQueries(Keyspace keyspace, Client client) {
    return new ItemBatch(Rights.READ, keyspace, client, filter -> true, ServedFilter::containsAll);
  }

  @Override
  boolean take(Request request) {
    if (request.count() != 3 || items.count() == Client.BATCH) {
      return false;
    }
    if (items.count() == 0) {
      filter = keyspace.find(request.binary(1));
      if (filter == null || !suits.test(filter)) {
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
  int count() {
    return items.count();
  }

  @Override
  void finish(RespWriter reply) {
    int taken = items.count();
    try {
      decision.decide(filter, items, answers);
    } finally {
      items.clear();
    }
    for (int i = 0; i < taken; i++) {
      reply.bool(((answers[i >>> 6] >>> i) & 1) != 0);
    }
  }
}
