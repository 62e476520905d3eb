package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;

/** Collects {@code BF.EXISTS} of one filter. */
final class AskBatch extends ItemBatch {
  AskBatch(Keyspace keyspace, Client client) {
    super(keyspace, client, "bf.exists", Rights.READ);
  }

  @Override
  boolean suits(ServedFilter filter) {
    return true;
  }

  @Override
  void decide(ServedFilter filter, long[] hashes, int count, long[] seen) {
    filter.containsAll(hashes, count, seen);
  }
}
