package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.ExpiryGrid;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;
import java.time.Duration;
import java.util.Optional;

/** {@code SET key value NX EX seconds}, answered from a filter for each expiry. */
final class SetCommands {
  /** Means that a request has no expiry, or another form than {@code SET key value NX EX n}. */
  static final long NONE = -1;

  /** Means that a key has expired already when it is set, so that nothing need be remembered. */
  private static final long PAST = 0;

  private final Keyspace keyspace;
  private final Optional<Duration> defaultExpiry;

  private SetCommands(Context context) {
    this.keyspace = context.keyspace();
    this.defaultExpiry = context.options().setDefaultExpiry();
  }

  static void declare(CommandTable table, Context context) {
    SetCommands all = new SetCommands(context);
    table.add("SET", all.new Set(Answer.OK));
    table.add("SETNX", all.new Set(Answer.INTEGER));
    table.add("GET", all::get);
  }

  /**
   * Returns the expiry of {@code SET key value NX EX n} in milliseconds, whatever the order of its
   * options.
   */
  static long expiryOrNone(Request request) {
    if (request.count() != 6) {
      return NONE;
    }
    int unit = request.is(3, "NX") ? 4 : 3;
    if (!request.is(unit == 4 ? 3 : 5, "NX")) {
      return NONE;
    }
    boolean seconds = request.is(unit, "EX");
    if (!seconds && !request.is(unit, "PX")) {
      return NONE;
    }
    long value = digits(request, unit + 1);
    return value < 1 ? NONE : seconds ? value * 1000 : value;
  }

  /** Returns a number of up to 12 digits; {@link #NONE} if it is anything else. */
  private static long digits(Request request, int index) {
    int length = request.length(index);
    if (length < 1 || length > 12 || request.at(index, 0) == '0') {
      return NONE;
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      int digit = request.at(index, i) - '0';
      if (digit < 0 || digit > 9) {
        return NONE;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** How a command replies whether it has set its key. */
  enum Answer {
    OK,
    INTEGER;

    void write(boolean set, RespWriter reply) {
      if (this == INTEGER) {
        reply.integer(set ? 1 : 0);
      } else if (set) {
        reply.simple("OK");
      } else {
        reply.nil();
      }
    }
  }

  private final class Set implements Command.Action {
    private final Answer answer;

    Set(Answer answer) {
      this.answer = answer;
    }

    @Override
    public void check(Request request) {
      long millis = expiry(request, keyspace.now());
      if (millis != PAST) {
        ExpiryGrid.roundUp(millis);
      }
    }

    @Override
    public void run(Client client, Request request, RespWriter reply) {
      set(client, request, answer, reply);
    }
  }

  private void set(Client client, Request request, Answer answer, RespWriter reply) {
    long millis = expiry(request, keyspace.now());
    Item key = RequestItems.item(request, 1, keyspace.setKeys());
    if (millis == PAST) {
      answer.write(!keyspace.setKeys().contains(key), reply);
    } else if (keyspace.setKeys().isPrepared(millis)) {
      set(key, millis, answer, reply);
    } else {
      setFirst(client, key, millis, answer, reply);
    }
  }

  /** Sets a key with an expiry that has no filter yet. One is created only if it is needed. */
  private void setFirst(Client client, Item key, long millis, Answer answer, RespWriter reply) {
    ExpiryGrid.roundUp(millis); // rejects what is too long
    if (keyspace.setKeys().contains(key)) {
      answer.write(false, reply);
      return;
    }
    client.later( // a large filter takes a while to be allocated
        () -> {
          keyspace.setKeys().prepare(millis);
          return r -> set(key, millis, answer, r);
        });
  }

  private void set(Item key, long millis, Answer answer, RespWriter reply) {
    long[] fresh = new long[1];
    keyspace.setKeys().setAll(Items.of(key), millis, fresh);
    answer.write(fresh[0] != 0, reply);
  }

  /** Returns the expiry; rejects a request without one, unless the server has a default. */
  private long expiry(Request request, long now) {
    boolean nx = request.is(0, "SETNX");
    long millis = NONE;
    for (int i = 3; i < request.count(); i++) {
      if (request.is(i, "NX")) {
        nx = true;
      } else if (isExpiry(request, i)) {
        if (millis != NONE || i + 1 == request.count()) {
          throw new CommandException("ERR syntax error");
        }
        millis = expiry(request, i, now);
        i++;
      } else if (request.is(i, "XX") || request.is(i, "GET") || request.is(i, "KEEPTTL")) {
        throw new CommandException(
            "ERR SET with %s is not offered: only whether a key was set is stored, not its value; use SET key value NX EX seconds"
                .formatted(request.text(i)));
      } else {
        throw new CommandException("ERR syntax error");
      }
    }
    if (!nx) {
      throw new CommandException(
          "ERR SET without NX is not offered: only whether a key was set is stored, not its value, so there is nothing to replace; use SET key value NX EX seconds");
    }
    if (millis != NONE) {
      return millis;
    }
    return defaultExpiry
        .map(Duration::toMillis)
        .orElseThrow(
            () ->
                new CommandException(
                    "ERR %s needs EX or PX here: keys without an expiry would need memory without a limit; use SET key value NX EX seconds or BF.ADD, or start the server with --set-default-expiry"
                        .formatted(request.is(0, "SETNX") ? "SETNX" : "SET with NX")));
  }

  private static boolean isExpiry(Request request, int index) {
    return request.is(index, "EX")
        || request.is(index, "PX")
        || request.is(index, "EXAT")
        || request.is(index, "PXAT");
  }

  private static long expiry(Request request, int index, long now) {
    long value = NumberArguments.integer(request, index + 1);
    boolean seconds = request.is(index, "EX") || request.is(index, "EXAT");
    if (value <= 0 || (seconds && value > Long.MAX_VALUE / 1000)) {
      throw new CommandException("ERR invalid expire time in 'set' command");
    }
    long millis = seconds ? value * 1000 : value;
    if (request.is(index, "EX") || request.is(index, "PX")) {
      return millis;
    }
    return millis > now ? millis - now : PAST;
  }

  private void get(Client client, Request request, RespWriter reply) {
    if (keyspace.find(request.binary(1)) != null) {
      throw new CommandException(
          "WRONGTYPE Operation against a key holding the wrong kind of value");
    }
    if (keyspace.setKeys().contains(RequestItems.item(request, 1, keyspace.setKeys()))) {
      throw new CommandException(
          "ERR '%s' was set, but values are not stored: an approximate set knows only whether a key was set; use EXISTS"
              .formatted(request.text(1)));
    }
    reply.nil();
  }
}
