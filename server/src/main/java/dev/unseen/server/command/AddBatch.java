package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;

/** Collects {@code BF.ADD}, and {@code UN.ADMIT} without a time, of one filter. */
final class AddBatch extends ItemBatch {
  AddBatch(Keyspace keyspace, Client client) {
    super(keyspace, client, "bf.add", Rights.WRITE);
  }

  @Override
  boolean suits(ServedFilter filter) {
    return filter.takesBatches();
  }

  @Override
  void decide(ServedFilter filter, long[] hashes, int count, long[] fresh) {
    filter.admitAll(hashes, count, fresh, keyspace.journal());
  }
}
