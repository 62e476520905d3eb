package dev.unseen.server.command;

import dev.unseen.server.access.Users;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServerClock;
import dev.unseen.server.store.Traffic;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * The parts of the server that commands use.
 *
 * @param keyspace the filters
 * @param durability keeps them in a directory, if there is one
 * @param options how the server was started
 * @param users the users and their rights
 * @param clients the connections
 * @param slowLog the slowest commands
 * @param traffic how many items each filter has got
 * @param clock the time of the server
 * @param reload reads the users and the certificate again
 * @param stop shuts the server down; the argument is whether to save first
 */
public record Context(
    Keyspace keyspace,
    Optional<Durability> durability,
    ServeOptions options,
    Users users,
    Clients clients,
    SlowLog slowLog,
    Traffic traffic,
    ServerClock clock,
    Callable<Void> reload,
    Consumer<Boolean> stop) {
  /** Returns why the journal cannot be written at present; empty if it can. */
  String journalFailure() {
    return durability.isPresent() ? durability.get().failure() : "";
  }

  /** Returns why nothing can be recorded or saved at present; empty if it can. */
  public String failure() {
    String save = durability.map(Durability::saveFailure).orElse("");
    return !journalFailure().isEmpty()
        ? "the journal cannot be written: " + journalFailure()
        : save.isEmpty() ? "" : "the last save failed: " + save;
  }

  /** Returns the rejection of a change that could not be recorded in the journal. */
  CommandException misconfigured() {
    return new CommandException(
        "MISCONF writes are disabled: the journal cannot be written (%s); free space on the disk of --dir"
            .formatted(journalFailure()));
  }
}
