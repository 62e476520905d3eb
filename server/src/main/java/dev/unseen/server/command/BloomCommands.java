package dev.unseen.server.command;

import dev.unseen.Report;
import dev.unseen.filter.FilterSpec;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/** RedisBloom's commands, with its replies and errors. */
final class BloomCommands {
  /** What RedisBloom replies for a filter that was created without EXPANSION; none grows here. */
  private static final int USUAL_EXPANSION = 2;

  private static final String FULL = "ERR non scaling filter is full";

  private final Context context;
  private final Keyspace keyspace;

  private BloomCommands(Context context) {
    this.context = context;
    this.keyspace = context.keyspace();
  }

  static void declare(CommandTable table, Context context) {
    BloomCommands all = new BloomCommands(context);
    table.add("BF.RESERVE", all::reserve);
    table.add("BF.RESIZE", all::resize);
    table.add("BF.ADD", all::add);
    table.add("BF.MADD", all::addAll);
    table.add("BF.INSERT", all::insert);
    table.add("BF.EXISTS", all::exists);
    table.add("BF.MEXISTS", all::existAll);
    table.add("BF.INFO", all::info);
    table.add("BF.CARD", all::card);
  }

  private void reserve(Client client, Request request, RespWriter reply) {
    FilterArguments filter = new FilterArguments(context.options());
    filter.errorRate = NumberArguments.number(request, 2, "ERR bad error rate");
    if (filter.errorRate >= 1 || filter.errorRate <= 0) {
      throw new CommandException("ERR (0 < error rate range < 1)");
    }
    filter.capacity = NumberArguments.integer(request, 3, "ERR bad capacity");
    if (filter.capacity <= 0) {
      throw new CommandException("ERR (capacity should be larger than 0)");
    }
    for (int i = 4; i < request.count(); ) {
      if (request.is(i, "NONSCALING")) {
        filter.nonScaling = true;
        i++;
      } else if (request.is(i, "EXPANSION")) {
        if (i + 1 == request.count()) {
          throw new CommandException("ERR no expansion");
        }
        filter.expands = true;
        filter.expansion = NumberArguments.integer(request, i + 1, "ERR bad expansion");
        if (filter.expansion < 0) {
          throw new CommandException("ERR bad expansion");
        }
        i += 2;
      } else {
        int taken = filter.take(request, i);
        if (taken == 0) {
          throw new CommandException(
              "ERR Unknown argument received: '%s'".formatted(request.text(i)));
        }
        i += taken;
      }
    }
    if (filter.nonScaling && filter.expands) {
      throw new CommandException("Nonscaling filters cannot expand");
    }
    if (filter.expands && filter.expansion == 0) {
      filter.nonScaling = true; // as in RedisBloom
    }
    filter.requireNoExpansion();
    FilterDefinition definition = filter.definition(context.options().memory());
    String name = request.binary(1);
    keyspace.requireNew(name);
    client.later( // a large filter takes a while to be allocated
        () -> {
          keyspace.create(name, definition);
          return r -> r.simple("OK");
        });
  }

  private void resize(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.require(request.binary(1));
    FilterArguments arguments = new FilterArguments(context.options());
    boolean rateGiven = false;
    for (int i = 2; i < request.count(); i += 2) {
      if (request.is(i, "EXPANSION") || i + 1 == request.count()) {
        throw new CommandException(
            "ERR syntax error; use BF.RESIZE key [MEMORY bytes] [CAPACITY items] [ERROR rate] [WINDOW time]");
      }
      rateGiven |= request.is(i, "ERROR");
      option(arguments, request, i);
    }
    if (arguments.errorRate <= 0 || arguments.errorRate >= 1) {
      throw new CommandException("ERR (0 < error rate range < 1)");
    }
    FilterDefinition changed = arguments.changed(filter.definition(), rateGiven);
    client.later( // a large filter takes a while to be allocated
        () -> {
          keyspace.resize(filter, changed);
          return r -> r.simple("OK");
        });
  }

  private FilterDefinition usual() {
    return FilterArguments.usual(context.options());
  }

  private void add(Client client, Request request, RespWriter reply) {
    if (request.count() == 3) {
      FilterArguments.with(context, client, request, reply, this::usual, this::add);
      return;
    }
    if (request.count() != 5 || !(request.is(3, "EX") || request.is(3, "PX"))) {
      throw new CommandException(
          "ERR syntax error; use BF.ADD key item, or BF.ADD key item EX seconds");
    }
    FilterArguments arguments = new FilterArguments(context.options());
    arguments.take(request, 3);
    FilterDefinition expiring = arguments.definition(context.options().memory());
    FilterArguments.with(
        context,
        client,
        request,
        reply,
        () -> expiring,
        (filter, r, to) -> {
          requireExpiry(filter, expiring.itemMillis());
          add(filter, r, to);
        });
  }

  /** Rejects an expiry that a filter cannot give to an item: all its items have the same. */
  private static void requireExpiry(ServedFilter filter, long millis) {
    long expiry = filter.definition().itemMillis();
    if (expiry == 0) {
      throw new CommandException(
          "ERR filter '%s' was created without EX, so its items have no expiry of their own; leave out EX, or use another key"
              .formatted(filter.shownName()));
    }
    if (expiry != millis) {
      throw new CommandException(
          "ERR the items of filter '%s' expire after %s, not after %s; use one key for each expiry"
              .formatted(
                  filter.shownName(),
                  Print.duration(Duration.ofMillis(expiry)),
                  Print.duration(Duration.ofMillis(millis))));
    }
  }

  private void add(ServedFilter filter, Request request, RespWriter reply) {
    Item item = RequestItems.item(request, 2, filter);
    if (filter.takesBatches()) {
      reply.bool(filter.admitAll(Items.of(item), new long[1], keyspace.journal()) == 1);
      return;
    }
    addOne(filter, item, reply);
  }

  /** Returns whether the item fit. */
  private boolean addOne(ServedFilter filter, Item item, RespWriter reply) {
    ServedFilter.Added added = filter.add(item.hash(), keyspace.journal());
    if (added == ServedFilter.Added.FULL) {
      reply.error(FULL);
      return false;
    }
    reply.bool(added == ServedFilter.Added.NEW);
    return true;
  }

  private void addAll(Client client, Request request, RespWriter reply) {
    FilterArguments.with(
        context,
        client,
        request,
        reply,
        this::usual,
        (filter, r, to) -> addAll(filter, client, r, 2, to));
  }

  private void addAll(
      ServedFilter filter, Client client, Request request, int first, RespWriter reply) {
    int count = request.count() - first;
    Items items = items(filter, request, first);
    if (!filter.takesBatches()) {
      addOneByOne(filter, items, reply);
      return;
    }
    long[] fresh = client.answers(count);
    filter.admitAll(items, fresh, keyspace.journal());
    reply.bools(fresh, count);
  }

  private static Items items(ServedFilter filter, Request request, int first) {
    Items items = new Items(request.count() - first);
    for (int i = first; i < request.count(); i++) {
      RequestItems.add(request, i, filter, items);
    }
    return items;
  }

  /** As in RedisBloom, the array ends with the first item that does not fit. */
  private void addOneByOne(ServedFilter filter, Items items, RespWriter reply) {
    RespWriter elements = new RespWriter();
    elements.protocol(reply.protocol());
    int count = 0;
    boolean room = true;
    while (count < items.count() && room) {
      room = addOne(filter, items.get(count++), elements);
    }
    reply.array(count);
    reply.raw(elements);
  }

  private void insert(Client client, Request request, RespWriter reply) {
    FilterArguments filter = new FilterArguments(context.options());
    boolean create = true;
    int items = -1;
    for (int i = 2; i < request.count() && items < 0; ) {
      if (request.is(i, "ITEMS")) {
        items = i + 1;
      } else if (request.is(i, "NOCREATE")) {
        create = false;
        i++;
      } else if (request.is(i, "NONSCALING")) {
        filter.nonScaling = true;
        i++;
      } else {
        i += option(filter, request, i);
      }
    }
    if (items < 0 || items == request.count()) {
      throw CommandTable.wrongArity("BF.INSERT");
    }
    if (filter.errorRate <= 0
        || filter.errorRate >= 1
        || (filter.expands && filter.expansion < 1)
        || filter.capacity < 0) {
      throw new CommandException("Bad argument received");
    }
    filter.requireNoExpansion();
    if (filter.nonScaling && filter.capacity == 0) {
      filter.capacity = 100; // RedisBloom's
    }
    int first = items;
    FilterArguments.Work work = (to, r, answer) -> addAll(to, client, r, first, answer);
    if (create) {
      FilterDefinition definition = filter.definition(context.options().memory());
      FilterArguments.with(context, client, request, reply, () -> definition, work);
    } else {
      work.run(keyspace.require(request.binary(1)), request, reply);
    }
  }

  private static int option(FilterArguments filter, Request request, int i) {
    boolean known =
        request.is(i, "ERROR") || request.is(i, "CAPACITY") || request.is(i, "EXPANSION");
    if (known && i + 1 == request.count()) {
      throw CommandTable.wrongArity("BF.INSERT");
    }
    if (request.is(i, "ERROR")) {
      filter.errorRate = NumberArguments.number(request, i + 1, "Bad error rate");
    } else if (request.is(i, "CAPACITY")) {
      filter.capacity = NumberArguments.integer(request, i + 1, "Bad capacity");
      if (filter.capacity < 1) {
        throw new CommandException("Bad argument received");
      }
    } else if (request.is(i, "EXPANSION")) {
      filter.expands = true;
      filter.expansion = NumberArguments.integer(request, i + 1, "Bad expansion");
    } else if (filter.take(request, i) == 0) {
      throw new CommandException("Unknown argument received");
    }
    return 2;
  }

  private void exists(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.find(request.binary(1));
    reply.bool(filter != null && filter.contains(RequestItems.item(request, 2, filter)));
  }

  private void existAll(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.find(request.binary(1));
    int count = request.count() - 2;
    long[] seen = client.answers(count);
    if (filter == null) {
      Arrays.fill(seen, 0);
    } else {
      filter.containsAll(items(filter, request, 2), seen);
    }
    reply.bools(seen, count);
  }

  private void card(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.find(request.binary(1));
    reply.integer(filter == null ? 0 : filter.admitted());
  }

  private void info(Client client, Request request, RespWriter reply) {
    if (request.count() > 3) {
      throw CommandTable.wrongArity("BF.INFO");
    }
    ServedFilter filter = keyspace.requireShown(request.binary(1));
    Report report = filter.report();
    if (request.count() == 2) {
      all(filter, report, reply);
      return;
    }
    String field = request.text(2).toUpperCase(Locale.ROOT);
    RespWriter value = new RespWriter();
    value.protocol(reply.protocol());
    switch (field) {
      case "CAPACITY" -> value.integer(filter.definition().keysThatFit(report));
      case "SIZE" -> value.integer(filter.cost());
      case "FILTERS" -> value.integer(filter.filters());
      case "ITEMS" -> value.integer(report.admitted());
      case "EXPANSION" -> expansion(filter, value);
      default -> throw new CommandException("ERR Invalid information value");
    }
    reply.array(1);
    reply.raw(value);
  }

  private static void expansion(ServedFilter filter, RespWriter reply) {
    if (filter.definition().nonScaling()) {
      reply.nil();
    } else {
      reply.integer(USUAL_EXPANSION);
    }
  }

  private static void all(ServedFilter filter, Report report, RespWriter reply) {
    FilterSpec spec = report.spec();
    long expiry = filter.definition().itemMillis();
    reply.map(13);
    field("Capacity", reply).integer(filter.definition().keysThatFit(report));
    field("Size", reply).integer(filter.cost());
    field("Number of filters", reply).integer(filter.filters());
    field("Number of items inserted", reply).integer(report.admitted());
    expansion(filter, field("Expansion rate", reply));
    field("Kind", reply).bulk(spec.kind().id());
    field("Window", reply)
        .bulk(
            spec.window().isNone()
                ? "none"
                : Print.duration(Duration.ofMillis(expiry > 0 ? expiry : spec.window().length())));
    field("Number of items evicted early", reply).integer(filter.evictedEarly());
    field("Number of duplicates", reply).integer(report.duplicates());
    field("Error rate", reply).number(filter.definition().errorRate());
    field("Estimated error rate", reply).number(report.estimatedFpr());
    field("Load", reply).number(report.load());
    field("Handover", reply).bulk(report.handover().orElse("none"));
  }

  private static RespWriter field(String name, RespWriter reply) {
    reply.simple(name);
    return reply;
  }
}
