package dev.unseen.server.command;

import dev.unseen.server.durable.Durability;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Commands that save, back up, reload and shut down. */
final class PersistenceCommands {
  private static final Pattern BACKUP_NAME = Pattern.compile("[A-Za-z0-9][-_.A-Za-z0-9]{0,99}");

  private final Context context;

  private PersistenceCommands(Context context) {
    this.context = context;
  }

  static void declare(CommandTable table, Context context) {
    PersistenceCommands all = new PersistenceCommands(context);
    table.add("SAVE", all::save);
    table.add("BGSAVE", all::saveSoon);
    table.add("LASTSAVE", all::last);
    table.add("BACKUP", all::backUp);
    table.add("UN.RELOAD", all::reload);
    table.add("SHUTDOWN", all::shutDown);
  }

  private Durability durability() {
    return context
        .durability()
        .orElseThrow(
            () ->
                new CommandException(
                    "ERR this server saves nothing; start it with --dir DIRECTORY"));
  }

  /** Work that fails if files cannot be read or written. */
  private interface FileWork {
    void run() throws Exception;
  }

  /** Does slow work, and replies OK, or an error that begins with some words. */
  private static void later(Client client, String failure, FileWork work) {
    client.later(
        () -> {
          try {
            work.run();
          } catch (IOException | IllegalArgumentException e) {
            throw new CommandException("ERR %s: %s".formatted(failure, e.getMessage()));
          }
          return r -> r.simple("OK");
        });
  }

  private void save(Client client, Request request, RespWriter reply) {
    later(client, "cannot save", durability()::save);
  }

  private void backUp(Client client, Request request, RespWriter reply) {
    Durability durability = durability();
    Path into =
        context
            .options()
            .backupDirectory()
            .orElseThrow(
                () ->
                    new CommandException(
                        "ERR this server has no place for backups; start it with --backup-dir DIRECTORY"));
    String name = request.text(1);
    if (!BACKUP_NAME.matcher(name).matches()) {
      throw new CommandException(
          "ERR the name of a backup ('%s') must have 1 to 100 letters, digits, '-', '_' and '.', and begin with a letter or digit"
              .formatted(name));
    }
    later(
        client,
        "cannot back up",
        () -> {
          try {
            durability.backUp(into.resolve(name));
          } catch (FileAlreadyExistsException e) {
            throw new CommandException(
                "ERR the backup '%s' exists; choose another name".formatted(name));
          }
        });
  }

  private void reload(Client client, Request request, RespWriter reply) {
    later(client, "nothing is reloaded, and all stays as it was", context.reload()::call);
  }

  private void saveSoon(Client client, Request request, RespWriter reply) {
    if (!durability().requestSave()) {
      throw new CommandException("ERR Background save already in progress");
    }
    reply.simple("Background saving started");
  }

  private void last(Client client, Request request, RespWriter reply) {
    reply.integer(
        context.durability().map(d -> d.saves().lastMillis()).orElse(System.currentTimeMillis())
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
