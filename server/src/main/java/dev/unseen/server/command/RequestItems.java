package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.SetKeys;

/**
 * Hashes arguments of requests. Only during a change of the secret are the arguments copied, too.
 */
final class RequestItems {
  private RequestItems() {}

  /** Returns an item for a filter. */
  static Item item(Request request, int index, ServedFilter filter) {
    return new Item(
        request.hash(index, filter.hash()), filter.rehashes() ? request.copy(index) : null);
  }

  /** Adds an item for a filter to others. */
  static void add(Request request, int index, ServedFilter filter, Items to) {
    to.add(request.hash(index, filter.hash()), filter.rehashes() ? request.copy(index) : null);
  }

  /** Returns a key of SET. */
  static Item item(Request request, int index, SetKeys keys) {
    return new Item(request.hash(index, keys.hash()), keys.rehashes() ? request.copy(index) : null);
  }

  /** Adds a key of SET to others. */
  static void add(Request request, int index, SetKeys keys, Items to) {
    to.add(request.hash(index, keys.hash()), keys.rehashes() ? request.copy(index) : null);
  }
}
