package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;

/**
 * A command.
 *
 * @param name in capital letters
 * @param arity the number of arguments, the name included; negative if it is the least number
 * @param rights what a user needs
 * @param keys whether the first argument is a key, or all are
 * @param summary one sentence
 * @param batching which requests it can be decided together with
 * @param insideMulti what happens to it between MULTI and EXEC
 * @param action runs it
 */
record Command(
    String name,
    int arity,
    Rights rights,
    Keys keys,
    String summary,
    Batching batching,
    InsideMulti insideMulti,
    Action action) {
  /** Which requests a command can be decided together with. */
  enum Batching {
    /** With none. */
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
    /** It is queued until EXEC. */
    QUEUED,
    /** It is run at once. */
    RUN,
    /** It is rejected. */
    REJECTED
  }

  /** Which arguments are keys. */
  enum Keys {
    NONE(0, 0, 0),
    FIRST(1, 1, 1),
    ALL(1, -1, 1),
    FIRST_TWO(1, 2, 1);

    final int first;
    final int last;
    final int step;

    Keys(int first, int last, int step) {
      this.first = first;
      this.last = last;
      this.step = step;
    }
  }

  /** Runs a command. */
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

  boolean takes(int arguments) {
    return arity >= 0 ? arguments == arity : arguments >= -arity;
  }
}
