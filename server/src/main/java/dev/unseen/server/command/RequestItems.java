package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Items;

/**
 * Hashes arguments of requests. Only during a change of the secret are the arguments copied, too.
 */
final class RequestItems {
  private RequestItems() {}

  static Item item(Request request, int index, Item.Target target) {
    return new Item(request.hash(index, target.hash()), bytes(request, index, target));
  }

  static void add(Request request, int index, Item.Target target, Items to) {
    to.add(request.hash(index, target.hash()), bytes(request, index, target));
  }

  private static byte[] bytes(Request request, int index, Item.Target target) {
    return target.rehashes() ? request.copy(index) : null;
  }
}
