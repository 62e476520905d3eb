package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.access.Users.User;
import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Runs the requests of one client in their order: finds the command, checks the user's rights, and
 * collects requests that can be decided together.
 */
public final class Dispatcher {
  private final CommandTable commands;
  private final Context context;
  private final RequestStats stats;
  private final Client client;
  private final Transaction transaction;
  private final ItemBatch adds;
  private final ItemBatch queries;
  private final SetBatch sets;
  private RequestBatch open; // the batch that is being collected; null: none
  private boolean mustCommit; // whether the journal may have records that replies depend on

  /** Creates the dispatcher of a client. */
  public Dispatcher(CommandTable commands, Client client) {
    this.commands = commands;
    this.context = commands.context();
    this.stats = context.clients().stats();
    this.client = client;
    this.transaction = client.transaction();
    this.adds = ItemBatch.ofAdds(context.keyspace(), client);
    this.queries = ItemBatch.ofQueries(context.keyspace(), client);
    this.sets = new SetBatch(context.keyspace(), client);
  }

  /**
   * Returns the next request to run, or null if it is incomplete: what EXEC executes comes before
   * what the reader has.
   */
  public Request next(RespReader reader) throws ProtocolException {
    return isExecuting() ? transaction.next() : reader.next();
  }

  /** Returns whether some requests of an EXEC are still to be run. */
  public boolean isExecuting() {
    return transaction.isExecuting();
  }

  /** Returns the bytes of memory that the requests since MULTI use. */
  public long queuedBytes() {
    return transaction.bytes();
  }

  /**
   * Runs a request. Its reply may follow only with {@link #finish}.
   *
   * @throws UncheckedIOException if the journal cannot be written
   */
  public void run(Request request, RespWriter reply) {
    Command command = commands.find(request);
    context.clients().monitor().show(client, request);
    if (command != null && !transaction.isOpen() && joins(command, request, reply)) {
      return;
    }
    finish(reply);
    int before = reply.length();
    long begin = System.nanoTime();
    try {
      check(command, request);
      client.used(command.name());
      if (transaction.isOpen() && command.insideMulti() == Command.InsideMulti.QUEUED) {
        transaction.add(request, command.changes());
        reply.simple("QUEUED");
      } else {
        act(command, request, reply);
      }
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      reply.rewind(before);
      String error = ErrorReplies.of(e);
      reply.error(error);
      stats.failed(error);
    }
    long nanos = System.nanoTime() - begin;
    stats.add(command == null ? "unknown" : command.name(), nanos, 1);
    if (SlowLog.isSlow(nanos)) {
      logSlow(nanos, request);
    }
  }

  private void act(Command command, Request request, RespWriter reply) {
    try {
      command.action().run(client, request, reply);
    } finally {
      mustCommit |= command.changes() && !client.hasLater(); // slow work calls changed()
    }
  }

  private void logSlow(long nanos, Request request) {
    boolean secret = request.is(0, "AUTH") || request.is(0, "HELLO");
    String first = request.count() > 1 && !secret ? " " + request.text(1) : "";
    context.slowLog().add(nanos, request.text(0) + first);
  }

  /** Returns whether a request was added to a batch. */
  @SuppressWarnings("ReferenceEquality") // whether it is the open batch itself
  private boolean joins(Command command, Request request, RespWriter reply) {
    RequestBatch batch =
        switch (command.batching()) {
          case NONE -> null;
          case ADD -> adds;
          case QUERY -> queries;
          case SET -> sets;
        };
    if (batch == null || !may(batch.rights())) {
      return false;
    }
    if (open != batch) {
      finish(reply);
    }
    if (!batch.take(request)) {
      if (open == null) {
        return false;
      }
      finish(reply);
      if (!batch.take(request)) {
        return false;
      }
    }
    open = batch;
    return true;
  }

  private boolean may(Rights needed) {
    return client.may(needed) && (needed == Rights.READ || context.journalFailure().isEmpty());
  }

  /** Decides the collected requests. */
  public void finish(RespWriter reply) {
    if (open == null) {
      return;
    }
    RequestBatch batch = open;
    open = null;
    long begin = System.nanoTime();
    mustCommit |= batch.rights() == Rights.WRITE;
    int count = batch.finish(reply);
    long nanos = System.nanoTime() - begin;
    stats.add(batch.command(), nanos, count);
    if (SlowLog.isSlow(nanos)) {
      context.slowLog().add(nanos, batch.command().toUpperCase(Locale.ROOT) + " (a batch)");
    }
    client.used(batch.command());
  }

  /**
   * Returns whether the replies so far may be sent only after the journal was committed, and resets
   * it. Queries and errors must be answered even when the journal cannot be written.
   */
  public boolean takeMustCommit() {
    boolean was = mustCommit;
    mustCommit = false;
    return was;
  }

  /** Returns whether replies have to wait until the journal is written. */
  public boolean mustCommit() {
    return mustCommit && context.durability().isPresent();
  }

  /** Called after slow work that has changed something. */
  public void changed() {
    mustCommit = true;
  }

  private void requireUser() {
    if (client.user() == null) {
      throw new CommandException("NOAUTH Authentication required.");
    }
  }

  /** Rejects a request that cannot be run. Inside MULTI that aborts the transaction. */
  private void check(Command command, Request request) {
    try {
      requireAllowed(command, request);
    } catch (CommandException e) {
      if (transaction.isOpen()) {
        throw TransactionCommands.rejected(transaction, command, e);
      }
      throw e;
    } catch (RuntimeException | Error e) {
      if (transaction.isOpen()) {
        transaction.abort();
      }
      throw e;
    }
  }

  private void requireAllowed(Command command, Request request) {
    if (command == null) {
      requireUser();
      throw CommandTable.unknown(request);
    }
    Rights needed = command.rights();
    if (needed != Rights.NONE) {
      requireUser();
      User user = client.user();
      if (!user.rights().include(needed)) {
        throw new CommandException(
            "NOPERM User %s has no permissions to run the '%s' command: it needs the right '%s', the user has '%s'"
                .formatted(
                    user.name(),
                    command.name().toLowerCase(Locale.ROOT),
                    needed.name().toLowerCase(Locale.ROOT),
                    user.rights().name().toLowerCase(Locale.ROOT)));
      }
    }
    if (!command.takes(request.count())) {
      throw CommandTable.wrongArity(command.name());
    }
    if (transaction.isOpen()) {
      requireAllowedInside(command, request);
    }
    if (command.changes() && !context.journalFailure().isEmpty()) {
      throw context.misconfigured();
    }
  }

  private static void requireAllowedInside(Command command, Request request) {
    if (command.insideMulti() == Command.InsideMulti.REJECTED) {
      throw new CommandException("ERR Command not allowed inside a transaction");
    }
    command.action().check(request);
  }
}
