package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.access.Users.User;
import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.StoreException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
  private Command openCommand; // of all requests in the open batch
  private Unfinished unfinished; // null: no slow work is running
  private boolean mustCommit; // whether the journal may have records that replies depend on

  /** A request whose slow work is running. */
  private record Unfinished(Command command, String shown, long begin) {}

  public Dispatcher(CommandTable commands, Client client) {
    this.commands = commands;
    this.context = commands.context();
    this.stats = context.clients().stats();
    this.client = client;
    this.transaction = client.transaction;
    this.adds = new ItemBatch(Rights.WRITE, context.keyspace(), client);
    this.queries = new ItemBatch(Rights.READ, context.keyspace(), client);
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
    return transaction.bytes;
  }

  /**
   * Runs a request. Its reply may follow only with {@link #finish}, or with {@link #resume} if the
   * client has slow work then.
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
    long begin = System.nanoTime();
    boolean[] queued = new boolean[1];
    answer(to -> queued[0] = queues(command, request, to), reply);
    Client.SlowWork later = client.later();
    if (later != null) {
      long wait = TimeUnit.MILLISECONDS.toNanos(later.delayMillis()); // is not the command's work
      unfinished = new Unfinished(command, shown(request), begin + wait);
    } else if (!queued[0]) { // what is queued is counted when EXEC runs it
      measured(command == null ? "UNKNOWN" : command.name(), () -> shown(request), begin, 1);
    }
  }

  /** Queues a request for EXEC, or runs it. Returns whether it was queued. */
  private boolean queues(Command command, Request request, RespWriter reply) {
    check(command, request);
    client.used(command.name());
    if (transaction.isOpen() && command.insideMulti() == Command.InsideMulti.QUEUED) {
      transaction.add(request, command.changes());
      reply.simple("QUEUED");
      return true;
    }
    act(command, request, reply);
    return false;
  }

  /** Runs what writes a reply, or replies with its error. */
  private void answer(Consumer<RespWriter> work, RespWriter reply) {
    int before = reply.length();
    try {
      work.accept(reply);
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      reply.rewind(before);
      fail(e, reply, 1);
    }
  }

  private void measured(String command, Supplier<String> shown, long begin, int requests) {
    long nanos = System.nanoTime() - begin;
    stats.add(command, nanos, requests);
    if (SlowLog.isSlow(nanos)) {
      context.slowLog().add(nanos, shown.get());
    }
  }

  /**
   * Ends the request whose slow work is done.
   *
   * @param answer writes the reply
   * @throws UncheckedIOException if the journal cannot be written
   */
  public void resume(Consumer<RespWriter> answer, RespWriter reply) {
    Unfinished request = unfinished;
    unfinished = null;
    answer(answer, reply);
    measured(request.command.name(), request::shown, request.begin, 1);
  }

  /** Replies to a request whose slow work has failed. */
  public void fail(Throwable e, RespWriter reply) {
    fail(e, reply, 1);
  }

  private void fail(Throwable e, RespWriter reply, int requests) {
    String error = ErrorReplies.of(e);
    for (int i = 0; i < requests; i++) {
      reply.error(error);
      stats.failed(error);
    }
  }

  private void act(Command command, Request request, RespWriter reply) {
    try {
      command.action().run(client, request, reply);
    } finally {
      mustCommit |= command.changes() && client.later() == null; // slow work calls changed()
    }
  }

  /** Returns what the slow log shows of a request. */
  private static String shown(Request request) {
    boolean secret = request.is(0, "AUTH") || request.is(0, "HELLO");
    return request.text(0) + (request.count() > 1 && !secret ? " " + request.text(1) : "");
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the open batch itself
  private boolean joins(Command command, Request request, RespWriter reply) {
    RequestBatch batch =
        switch (command.batching()) {
          case NONE -> null;
          case ADD -> adds;
          case QUERY -> queries;
          case SET -> sets;
        };
    if (batch == null || !may(batch.rights)) {
      return false;
    }
    if (open != batch || openCommand != command) {
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
    openCommand = command;
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
    String command = openCommand.name();
    int count = batch.items.count();
    long begin = System.nanoTime();
    mustCommit |= batch.rights == Rights.WRITE;
    try {
      batch.finish(client.answers(count), reply);
    } catch (StoreException e) {
      fail(e, reply, count);
    }
    measured(command, () -> command + " (a batch)", begin, count);
    client.used(command);
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
