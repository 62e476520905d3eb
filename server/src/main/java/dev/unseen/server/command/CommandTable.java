package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** All commands. {@code COMMAND COUNT}, {@code INFO} and {@code DOCS} are answered from it. */
public final class CommandTable {
  private static final int SLOTS = 1024;
  private static final int MAX_SHOWN = 128;

  private final Context context;
  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final Command[] slots = new Command[SLOTS]; // by the hash of the name

  /** Creates all commands. */
  public CommandTable(Context context) {
    this.context = context;
    ConnectionCommands.declare(this, context);
    TransactionCommands.declare(this, context);
    KeyspaceCommands.declare(this, context);
    BloomCommands.declare(this, context);
    UnseenCommands.declare(this, context);
    SetCommands.declare(this, context);
    ServerCommands.declare(this, context);
    PersistenceCommands.declare(this, context);
  }

  /** Returns what the commands work with. */
  public Context context() {
    return context;
  }

  /** Adds a command. */
  void add(
      String name,
      int arity,
      Rights rights,
      Command.Keys keys,
      String summary,
      Command.Action action) {
    Command command =
        new Command(
            name, arity, rights, keys, summary, batchingOf(name), insideMultiOf(name), action);
    if (byName.put(name, command) != null) {
      throw new IllegalStateException(name + " is declared twice");
    }
    int slot = slotOf(name.hashCode()); // as Request.wordHash computes it
    while (slots[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    slots[slot] = command;
  }

  private static Command.Batching batchingOf(String name) {
    return switch (name) {
      case "BF.ADD", "UN.ADMIT" -> Command.Batching.ADD;
      case "BF.EXISTS" -> Command.Batching.QUERY;
      case "SET" -> Command.Batching.SET;
      default -> Command.Batching.NONE;
    };
  }

  private static Command.InsideMulti insideMultiOf(String name) {
    return switch (name) {
      case "MULTI", "EXEC", "DISCARD", "RESET", "QUIT", "POST", "HOST:" -> Command.InsideMulti.RUN;
      case "SHUTDOWN" -> Command.InsideMulti.REJECTED; // its reply would be missing in that of EXEC
      default -> Command.InsideMulti.QUEUED;
    };
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
    String reason = UnsupportedCommands.reason(name);
    if (!reason.isEmpty()) {
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
