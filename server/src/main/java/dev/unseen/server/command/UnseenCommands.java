package dev.unseen.server.command;

import dev.unseen.LateRecords;
import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.Reservation;
import dev.unseen.filter.Window;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ReservationTokens;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What Unseen offers beyond RedisBloom. */
final class UnseenCommands {
  private static final long MAX_AHEAD_MILLIS = 24 * 3600 * 1000L;

  private final Context context;
  private final Keyspace keyspace;

  private UnseenCommands(Context context) {
    this.context = context;
    this.keyspace = context.keyspace();
  }

  static void declare(CommandTable table, Context context) {
    UnseenCommands all = new UnseenCommands(context);
    table.add("UN.ADMIT", all::admit);
    table.add("UN.RESERVE", all::reserve);
    table.add("UN.COMMIT", all::commit);
    table.add("UN.ROLLBACK", all::rollback);
    table.add("UN.REPORT", all::report);
    table.add("UN.MERGE", all::merge);
  }

  private void admit(Client client, Request request, RespWriter reply) {
    boolean timed = request.count() > 4 && request.is(3, "TIME");
    boolean hasPolicy = timed && request.count() == 7 && request.is(5, "LATE");
    if (request.count() != 3 && !(timed && request.count() == 5) && !hasPolicy) {
      throw new CommandException(
          "ERR syntax error; use UN.ADMIT key item, or UN.ADMIT key item TIME ms [LATE ADMIT|DROP|FAIL]");
    }
    LateRecords late = hasPolicy ? late(request) : LateRecords.ADMIT;
    OptionalLong time =
        timed ? OptionalLong.of(NumberArguments.integer(request, 4)) : OptionalLong.empty();
    FilterArguments.with(
        context,
        client,
        request,
        reply,
        () -> FilterArguments.usual(context.options()),
        (filter, r, to) -> admit(filter, r, time, late, to));
  }

  private void admit(
      ServedFilter filter, Request request, OptionalLong time, LateRecords late, RespWriter reply) {
    requireForgetting(filter);
    boolean timed = time.isPresent();
    long now = keyspace.now();
    long millis = time.orElse(now);
    long ahead = maxAhead(filter.definition().window());
    if (timed && (millis < 0 || millis > now + ahead)) {
      throw new CommandException(
          "ERR TIME %d must be milliseconds since 1970, at most %s later than now (%d): a later one would make the filter forget what is still in its window"
              .formatted(millis, Print.duration(Duration.ofMillis(ahead)), now));
    }
    if (timed && !filter.definition().window().isNone() && !filter.hasOwnTimes()) {
      throw new CommandException(
          "ERR this filter uses times of arrival; leave TIME out, or create one with BF.RESERVE key error capacity WINDOW span");
    }
    Item item = RequestItems.item(request, 2, filter);
    if (late != LateRecords.ADMIT && filter.isTooLate(item, millis)) {
      if (late == LateRecords.FAIL) {
        throw tooLate(millis, filter.definition().window());
      }
      reply.bool(false);
      return;
    }
    reply.bool(filter.admit(item, millis, keyspace.journal()));
  }

  private static LateRecords late(Request request) {
    for (LateRecords late : LateRecords.values()) {
      if (request.is(6, late.name())) {
        return late;
      }
    }
    throw new CommandException(
        "ERR LATE '%s' is unknown; known: ADMIT, DROP, FAIL".formatted(request.text(6)));
  }

  private static CommandException tooLate(long millis, Window window) {
    return new CommandException(
        "TOOLATE TIME %d is before the latest time by more than %s, so the item cannot be checked; send older items first, or create the filter with a longer LATENESS"
            .formatted(millis, Print.duration(Duration.ofMillis(window.lateness()))));
  }

  /**
   * Returns by how much a time may be later than now: by a day, but not by more than a step of the
   * window, which an item may be forgotten too early anyway.
   */
  private static long maxAhead(Window window) {
    return window.isNone()
        ? MAX_AHEAD_MILLIS
        : Math.min(MAX_AHEAD_MILLIS, window.length() / Window.STEPS);
  }

  private static void requireForgetting(ServedFilter filter) {
    if (!filter.takesBatches()) {
      throw new CommandException("ERR this filter was created with NONSCALING; use BF.ADD");
    }
  }

  private void reserve(Client client, Request request, RespWriter reply) {
    boolean timed = request.count() == 5 && (request.is(3, "EX") || request.is(3, "PX"));
    if (request.count() != 3 && !timed) {
      throw new CommandException(
          "ERR syntax error; use UN.RESERVE key item, or UN.RESERVE key item EX seconds");
    }
    long millis = timed ? NumberArguments.expiry(request, 3) : ReservationTokens.DEFAULT_MILLIS;
    ServedFilter filter = keyspace.require(request.binary(1));
    requireForgetting(filter); // an item that is committed could be one too many
    ReservationTokens.Grant grant =
        filter.reserve(RequestItems.item(request, 2, filter), millis, keyspace.journal());
    reply.array(2);
    reply.bulk(grant.status() == Reservation.Status.IN_FLIGHT ? "INFLIGHT" : grant.status().name());
    if (grant.token().isEmpty()) {
      reply.nil();
    } else {
      reply.bulk(grant.token());
    }
  }

  private void commit(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.require(request.binary(1));
    reply.bool(filter.commit(request.text(2), keyspace.journal()));
  }

  private void rollback(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.require(request.binary(1));
    reply.bool(filter.rollback(request.text(2)));
  }

  private void report(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.requireShown(request.binary(1));
    Report report = filter.report();
    List<Measure> known =
        Measure.all().stream().filter(measure -> measure.valueIn(report).isPresent()).toList();
    reply.map(known.size());
    for (Measure measure : known) {
      double value = measure.valueIn(report).getAsDouble();
      reply.bulk(measure.name());
      if (Double.isNaN(value)) {
        reply.nil();
      } else if (value == Math.rint(value) && Math.abs(value) < 1L << 53 && isCount(measure)) {
        reply.integer((long) value);
      } else {
        reply.number(value);
      }
    }
  }

  /** Returns whether the values of a measure are whole numbers, not rates that happen to be. */
  private static boolean isCount(Measure measure) {
    String name = measure.name().toLowerCase(Locale.ROOT);
    return !name.contains("fpr")
        && !name.contains("fnr")
        && !name.equals("load")
        && !name.equals("window_coverage");
  }

  private void merge(Client client, Request request, RespWriter reply) {
    ServedFilter into = keyspace.require(request.binary(1));
    ServedFilter from = keyspace.require(request.binary(2));
    if (into == from) {
      throw new CommandException("ERR a filter cannot be merged with itself; name two");
    }
    long together = into.admitted() + from.admitted();
    if (into.definition().nonScaling() && together > into.definition().capacity()) {
      throw new CommandException(
          "ERR both filters together hold up to %d items, more than the capacity of the first (%d), which was created with NONSCALING"
              .formatted(together, into.definition().capacity()));
    }
    client.later(
        () -> {
          merge(into, from);
          into.touch();
          if (context.durability().isPresent()) {
            context.durability().get().save(); // the journal knows nothing of these items
          }
          return r -> r.simple("OK");
        });
  }

  /**
   * Both filters wait; the one with the lower number is locked first, so that no two merges wait
   * for each other.
   */
  private static void merge(ServedFilter into, ServedFilter from) {
    ServedFilter first = into.id() < from.id() ? into : from;
    ServedFilter second = first == into ? from : into;
    first.alone(
        a ->
            second.alone(
                b -> {
                  try {
                    if (first == into) {
                      a.merge(b);
                    } else {
                      b.merge(a);
                    }
                  } catch (IllegalArgumentException e) { // they differ; nothing was merged
                    throw CommandException.of(e);
                  }
                  return null;
                }));
  }
}
