package dev.unseen.server.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The reasons why some commands of Redis and RedisBloom are not offered: {@code not-offered.txt}.
 */
final class UnsupportedCommands {
  private static final Map<String, String> REASONS = new HashMap<>(); // by name, or as CF.*

  static {
    for (List<String> block : CommandDoc.blocks("not-offered.txt")) {
      List.of(block.get(0).split(" ", -1)).forEach(name -> REASONS.put(name, block.get(1)));
    }
  }

  private UnsupportedCommands() {}

  /** Returns why a command is not offered, and what to use instead; empty if nothing is known. */
  static String reason(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    String family = upper.substring(0, upper.indexOf('.') + 1) + "*";
    return REASONS.getOrDefault(upper, REASONS.getOrDefault(family, ""));
  }
}
