package dev.unseen.site;

import org.commonmark.node.CustomBlock;

/** A frame in which a table scrolls when the screen is narrower than it. */
final class WideTable extends CustomBlock {
  static void around(CustomBlock table) {
    WideTable frame = new WideTable();
    table.insertBefore(frame);
    frame.appendChild(table);
  }
}
