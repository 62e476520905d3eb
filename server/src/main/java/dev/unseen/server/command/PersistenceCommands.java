package dev.unseen.server.command;

import static dev.unseen.server.command.Command.Keys.NONE;

import dev.unseen.server.access.Rights;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import java.io.IOException;

/** Commands that save and shut down. */
final class PersistenceCommands {
  private final Context context;

  private PersistenceCommands(Context context) {
    this.context = context;
  }

  static void declare(CommandTable table, Context context) {
    PersistenceCommands all = new PersistenceCommands(context);
    table.add("SAVE", 1, Rights.ADMIN, NONE, "Saves all filters, then replies.", all::save);
    table.add("BGSAVE", -1, Rights.ADMIN, NONE, "Replies, and saves all filters.", all::saveSoon);
    table.add("LASTSAVE", 1, Rights.READ, NONE, "Returns the time of the last save.", all::last);
    table.add("SHUTDOWN", -1, Rights.ADMIN, NONE, "Saves and shuts down.", all::shutDown);
  }

  private Durability durability() {
    return context
        .durability()
        .orElseThrow(
            () ->
                new CommandException(
                    "ERR this server saves nothing; start it with --dir DIRECTORY"));
  }

  private void save(Client client, Request request, RespWriter reply) {
    Durability durability = durability();
    client.later(
        () -> {
          try {
            durability.save();
          } catch (IOException e) {
            throw new CommandException("ERR cannot save: " + e.getMessage());
          }
          return r -> r.simple("OK");
        });
  }

  private void saveSoon(Client client, Request request, RespWriter reply) {
    if (!durability().requestSave()) {
      throw new CommandException("ERR Background save already in progress");
    }
    reply.simple("Background saving started");
  }

  private void last(Client client, Request request, RespWriter reply) {
    reply.integer(
        context.durability().map(Durability::lastSaveMillis).orElse(System.currentTimeMillis())
            / 1000);
  }

  private void shutDown(Client client, Request request, RespWriter reply) {
    boolean save = true;
    for (int i = 1; i < request.count(); i++) {
      if (request.is(i, "NOSAVE")) {
        save = false;
      } else if (!request.is(i, "SAVE") && !request.is(i, "NOW") && !request.is(i, "FORCE")) {
        throw new CommandException("ERR syntax error");
      }
    }
    client.leave(); // as in Redis, the end of the connection is the reply
    context.stop().accept(save);
  }
}
