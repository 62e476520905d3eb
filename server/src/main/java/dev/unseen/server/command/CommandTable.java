package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All commands. {@code COMMAND COUNT}, {@code INFO} and {@code DOCS} are answered from it. */
public final class CommandTable {
  private static final int SLOTS = 1024;
  private static final int MAX_SHOWN = 128;

  /** The reasons why some commands of Redis and RedisBloom are not offered, by name or as CF.*. */
  private static final Map<String, String> NOT_OFFERED = new HashMap<>();

  static {
    for (List<String> block : CommandDoc.blocks("not-offered.txt")) {
      List.of(block.get(0).split(" ", -1)).forEach(name -> NOT_OFFERED.put(name, block.get(1)));
    }
  }

  private final Context context;
  private final Map<String, CommandDoc> docs = new HashMap<>(); // of commands without an action
  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final Command[] slots = new Command[SLOTS]; // by the hash of the name

  public CommandTable(Context context) {
    this.context = context;
    CommandDoc.all().forEach(doc -> docs.put(doc.name(), doc));
    ConnectionCommands.declare(this, context);
    TransactionCommands.declare(this, context);
    KeyspaceCommands.declare(this, context);
    BloomCommands.declare(this, context);
    UnseenCommands.declare(this, context);
    SetCommands.declare(this, context);
    ServerCommands.declare(this, context);
    PersistenceCommands.declare(this, context);
    if (!docs.isEmpty()) {
      throw new IllegalStateException("no action is declared for " + docs.keySet());
    }
  }

  public Context context() {
    return context;
  }

  /** Adds a command that is declared in {@code commands.txt}. */
  void add(String name, Command.Action action) {
    CommandDoc doc = docs.remove(name);
    if (doc == null) {
      throw new IllegalStateException(name + " is not declared, or has two actions");
    }
    Command command = Command.of(doc, action);
    byName.put(name, command);
    int slot = slotOf(name.hashCode()); // as Request.wordHash computes it
    while (slots[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    slots[slot] = command;
  }

  private static int slotOf(int hash) {
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  /** Returns the command that a request names, or null. */
  Command find(Request request) {
    for (int slot = slotOf(request.wordHash(0)); slots[slot] != null; slot = (slot + 1) % SLOTS) {
      if (request.is(0, slots[slot].name())) {
        return slots[slot];
      }
    }
    return null;
  }

  Command find(String name) {
    return byName.get(name.toUpperCase(Locale.ROOT));
  }

  Collection<Command> all() {
    return byName.values();
  }

  /** Returns the error for a request that names no command. */
  static CommandException unknown(Request request) {
    String name = request.text(0);
    String upper = name.toUpperCase(Locale.ROOT);
    String family = upper.substring(0, upper.indexOf('.') + 1) + "*";
    String reason = NOT_OFFERED.getOrDefault(upper, NOT_OFFERED.get(family));
    if (reason != null) {
      return new CommandException(
          "ERR unknown command '%s': %s".formatted(shortened(name), reason));
    }
    StringBuilder arguments = new StringBuilder();
    for (int i = 1; i < request.count() && arguments.length() < MAX_SHOWN; i++) {
      arguments.append('\'').append(shortened(request.text(i))).append("' ");
    }
    return new CommandException(
        "ERR unknown command '%s', with args beginning with: %s"
            .formatted(shortened(name), arguments));
  }

  private static String shortened(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) : text;
  }

  static CommandException wrongArity(String name) {
    return new CommandException(
        "ERR wrong number of arguments for '%s' command".formatted(name.toLowerCase(Locale.ROOT)));
  }
}
