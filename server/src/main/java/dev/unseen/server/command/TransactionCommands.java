package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/** Redis's transactions: what is sent between MULTI and EXEC is run in order, or not at all. */
final class TransactionCommands {
  private static final String ABORTED = "EXECABORT Transaction discarded because of";

  private final Context context;

  private TransactionCommands(Context context) {
    this.context = context;
  }

  static void declare(CommandTable table, Context context) {
    TransactionCommands all = new TransactionCommands(context);
    table.add("MULTI", all::multi);
    table.add("EXEC", all::exec);
    table.add("DISCARD", all::discard);
    table.add("UNWATCH", (c, q, reply) -> reply.simple("OK"));
  }

  private void multi(Client client, Request request, RespWriter reply) {
    if (client.transaction.isOpen()) {
      throw new CommandException("ERR MULTI calls can not be nested");
    }
    client.transaction.begin();
    reply.simple("OK");
  }

  private void exec(Client client, Request request, RespWriter reply) {
    Transaction transaction = client.transaction;
    if (!transaction.isOpen()) {
      throw new CommandException("ERR EXEC without MULTI");
    }
    if (transaction.isAborted()) {
      transaction.discard();
      throw new CommandException(ABORTED + " previous errors.");
    }
    if (transaction.changes && !context.journalFailure().isEmpty()) {
      transaction.discard();
      throw new CommandException(ABORTED + ": " + context.misconfigured().getMessage());
    }
    reply.array(transaction.size());
    transaction.execute();
  }

  /** Aborts a transaction because a command is rejected. Returns what that command replies. */
  static CommandException rejected(
      Transaction transaction, Command command, CommandException reason) {
    if (command == null || !command.name().equals("EXEC")) {
      transaction.abort();
      return reason;
    }
    transaction.discard();
    String message = reason.getMessage();
    return new CommandException(
        ABORTED + ": " + (message.startsWith("ERR ") ? message.substring(4) : message));
  }

  private void discard(Client client, Request request, RespWriter reply) {
    if (!client.transaction.isOpen()) {
      throw new CommandException("ERR DISCARD without MULTI");
    }
    client.transaction.discard();
    reply.simple("OK");
  }
}
