package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/**
 * A command.
 *
 * @param name in capital letters
 * @param rights what a user needs
 * @param doc its declaration
 * @param batching which requests it can be decided together with
 * @param insideMulti what happens to it between MULTI and EXEC
 * @param action runs it
 */
record Command(
    String name,
    Rights rights,
    CommandDoc doc,
    Batching batching,
    InsideMulti insideMulti,
    Action action) {
  /** Which requests a command can be decided together with. */
  enum Batching {
    NONE,
    /** With others that add an item to the same filter. */
    ADD,
    /** With others that query the same filter. */
    QUERY,
    /** With others that set a key with the same expiry. */
    SET
  }

  /** What happens to a command between MULTI and EXEC. */
  enum InsideMulti {
    QUEUED,
    RUN,
    REJECTED
  }

  interface Action {
    /**
     * Runs the command and writes its reply.
     *
     * @throws CommandException if it cannot be run
     */
    void run(Client client, Request request, RespWriter reply);

    /**
     * Rejects arguments with which the command can never be run, before it is queued for EXEC.
     *
     * @throws CommandException if the arguments are such
     */
    default void check(Request request) {}
  }

  static Command of(CommandDoc doc, Action action) {
    String name = doc.name();
    Batching batching =
        switch (name) {
          case "BF.ADD", "UN.ADMIT" -> Batching.ADD;
          case "BF.EXISTS" -> Batching.QUERY;
          case "SET" -> Batching.SET;
          default -> Batching.NONE;
        };
    InsideMulti insideMulti =
        switch (name) {
          case "MULTI", "EXEC", "DISCARD", "RESET", "QUIT", "POST", "HOST:" -> InsideMulti.RUN;
          case "SHUTDOWN" -> InsideMulti.REJECTED; // its reply would be missing in that of EXEC
          default -> InsideMulti.QUEUED;
        };
    return new Command(name, doc.rights(), doc, batching, insideMulti, action);
  }

  boolean takes(int arguments) {
    return doc.arity() >= 0 ? arguments == doc.arity() : arguments >= -doc.arity();
  }

  /** Returns whether it changes what the journal records. */
  boolean changes() {
    return rights == Rights.WRITE || name.startsWith("FLUSH");
  }
}
