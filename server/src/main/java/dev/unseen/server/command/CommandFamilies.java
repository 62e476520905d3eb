package dev.unseen.server.command;

/** Puts the families of commands together. */
public final class CommandFamilies {
  private final CommandTable table = new CommandTable();
  private final Context context;

  /** Creates all commands. */
  public CommandFamilies(Context context) {
    this.context = context;
    ConnectionCommands.declare(table, context);
    TransactionCommands.declare(table, context);
    KeyspaceCommands.declare(table, context);
    BloomCommands.declare(table, context);
    DumpCommands.declare(table, context);
    UnseenCommands.declare(table, context);
    SetCommands.declare(table, context);
    ServerCommands.declare(table, context);
    PersistenceCommands.declare(table, context);
  }

  CommandTable table() {
    return table;
  }

  /** Returns what the commands work with. */
  public Context context() {
    return context;
  }
}
