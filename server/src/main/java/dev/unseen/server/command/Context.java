package dev.unseen.server.command;

import dev.unseen.server.access.Users;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.Keyspace;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What commands work with.
 *
 * @param keyspace the filters
 * @param durability keeps them in a directory, if there is one
 * @param options how the server was started
 * @param users who may do what
 * @param clients who is connected
 * @param slowLog what took long
 * @param stop ends the server; the argument tells whether to save before
 */
public record Context(
    Keyspace keyspace,
    Optional<Durability> durability,
    ServeOptions options,
    Users users,
    Clients clients,
    SlowLog slowLog,
    Consumer<Boolean> stop) {
  /** Returns why the journal cannot be written at present; empty if it can. */
  String journalFailure() {
    return durability.isPresent() ? durability.get().failure() : "";
  }

  /** Returns the rejection of a change that could not be recorded in the journal. */
  CommandException misconfigured() {
    return new CommandException(
        "MISCONF nothing can be noted in the journal, so nothing is changed: %s; make room on the disk of --dir"
            .formatted(journalFailure()));
  }
}
