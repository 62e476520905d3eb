package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.SetKeys;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Commands for all keys: existence, expiry, deletion and listing. */
final class KeyspaceCommands {
  private static final String TYPE = "MBbloom--"; // RedisBloom's name for a filter

  private final Keyspace keyspace;

  private KeyspaceCommands(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  static void declare(CommandTable table, Context context) {
    KeyspaceCommands all = new KeyspaceCommands(context.keyspace());
    table.add("DEL", all::delete);
    table.add("UNLINK", all::delete);
    table.add("EXISTS", all::exists);
    table.add("TYPE", all::type);
    table.add("KEYS", all::keys);
    table.add("SCAN", all::scan);
    table.add("EXPIRE", (c, q, r) -> all.expire(c, q, r, 1000));
    table.add("PEXPIRE", (c, q, r) -> all.expire(c, q, r, 1));
    table.add("PERSIST", all::persist);
    table.add("TTL", (c, q, r) -> all.ttl(q, r, 1000));
    table.add("PTTL", (c, q, r) -> all.ttl(q, r, 1));
    table.add("DBSIZE", all::dbSize);
    table.add("FLUSHDB", all::flush);
    table.add("FLUSHALL", all::flush);
  }

  private boolean isSet(Request request, int index) {
    return keyspace.setKeys().contains(RequestItems.item(request, index, keyspace.setKeys()));
  }

  private void delete(Client client, Request request, RespWriter reply) {
    int deleted = 0;
    for (int i = 1; i < request.count(); i++) {
      // The key of SET first: that may be rejected, and then nothing of this name is deleted.
      boolean key = keyspace.setKeys().delete(RequestItems.item(request, i, keyspace.setKeys()));
      ServedFilter filter = keyspace.find(request.binary(i));
      boolean was = filter != null && keyspace.delete(filter);
      deleted += key || was ? 1 : 0;
    }
    reply.integer(deleted);
  }

  private void exists(Client client, Request request, RespWriter reply) {
    int count = 0;
    for (int i = 1; i < request.count(); i++) {
      count += keyspace.find(request.binary(i)) != null || isSet(request, i) ? 1 : 0;
    }
    reply.integer(count);
  }

  private void type(Client client, Request request, RespWriter reply) {
    boolean filter = keyspace.find(request.binary(1)) != null;
    reply.simple(filter ? TYPE : isSet(request, 1) ? "string" : "none");
  }

  private void keys(Client client, Request request, RespWriter reply) {
    Glob pattern = new Glob(request.binary(1));
    List<String> found =
        keyspace.live().stream().map(ServedFilter::name).filter(pattern::matches).toList();
    reply.array(found.size());
    found.forEach(reply::binary);
  }

  /** The cursor is the number of the last filter that was returned, so no filter is skipped. */
  private void scan(Client client, Request request, RespWriter reply) {
    long cursor = NumberArguments.integer(request, 1, "ERR invalid cursor");
    if (cursor < 0) {
      throw new CommandException("ERR invalid cursor");
    }
    Glob pattern = new Glob("*");
    long count = 10;
    boolean typed = true;
    for (int i = 2; i < request.count(); i += 2) {
      if (i + 1 == request.count()) {
        throw new CommandException("ERR syntax error");
      }
      if (request.is(i, "MATCH")) {
        pattern = new Glob(request.binary(i + 1));
      } else if (request.is(i, "COUNT")) {
        count = NumberArguments.integer(request, i + 1);
      } else if (request.is(i, "TYPE")) {
        typed = request.text(i + 1).equalsIgnoreCase(TYPE);
      } else {
        throw new CommandException("ERR syntax error");
      }
    }
    if (count < 1) {
      throw new CommandException("ERR syntax error");
    }
    List<ServedFilter> rest =
        keyspace.live().stream()
            .filter(filter -> filter.id() > cursor)
            .sorted(Comparator.comparingLong(ServedFilter::id))
            .toList();
    List<ServedFilter> page = rest.subList(0, (int) Math.min(count, rest.size()));
    boolean more = page.size() < rest.size();
    Glob wanted = pattern;
    boolean any = typed;
    List<String> found =
        page.stream().map(ServedFilter::name).filter(name -> any && wanted.matches(name)).toList();
    reply.array(2);
    reply.bulk(Long.toString(more ? page.get(page.size() - 1).id() : 0));
    reply.array(found.size());
    found.forEach(reply::binary);
  }

  private void expire(Client client, Request request, RespWriter reply, long unit) {
    long value = NumberArguments.integer(request, 2);
    String name = request.text(0);
    if (request.count() > 3) {
      throw new CommandException(
          "ERR %s with %s is not offered; set the expiry without a condition"
              .formatted(name.toUpperCase(Locale.ROOT), request.text(3)));
    }
    long most = Long.MAX_VALUE / 4 / unit;
    if (value > most || value < -most) {
      throw new CommandException(
          "ERR invalid expire time in '%s' command".formatted(name.toLowerCase(Locale.ROOT)));
    }
    ServedFilter filter = keyspace.find(request.binary(1));
    if (filter == null) {
      expireKey(client, RequestItems.item(request, 1, keyspace.setKeys()), value * unit, reply);
      return;
    }
    if (value <= 0) {
      keyspace.delete(filter);
    } else {
      filter.expiresAt(keyspace.now() + value * unit);
      keyspace.journal().expires(filter);
    }
    reply.integer(1);
  }

  /** Changes the expiry of a key of SET. The filter that it then needs may have to be created. */
  private void expireKey(Client client, Item key, long millis, RespWriter reply) {
    SetKeys keys = keyspace.setKeys();
    if (millis <= 0) {
      reply.integer(keys.delete(key) ? 1 : 0);
    } else if (keys.isPrepared(millis) || !keys.lengthens(key, millis)) {
      reply.integer(keys.expire(key, millis) ? 1 : 0);
    } else {
      client.later(
          () -> {
            keys.prepare(millis);
            return r -> r.integer(keys.expire(key, millis) ? 1 : 0);
          });
    }
  }

  private void persist(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.find(request.binary(1));
    if (filter == null && isSet(request, 1)) {
      throw new CommandException(
          "ERR a key of SET always expires: keys without an expiry would need memory without a limit; use EXPIRE for a later time");
    }
    boolean had = filter != null && filter.expiresAt() != ServedFilter.NEVER;
    if (had) {
      filter.expiresAt(ServedFilter.NEVER);
      keyspace.journal().expires(filter);
    }
    reply.integer(had ? 1 : 0);
  }

  private void ttl(Request request, RespWriter reply, long unit) {
    ServedFilter filter = keyspace.find(request.binary(1));
    if (filter == null) {
      if (isSet(request, 1)) {
        throw new CommandException(
            "ERR '%s' was set, but when it expires is not stored: an approximate set knows only whether a key was set"
                .formatted(request.text(1)));
      }
      reply.integer(-2);
    } else if (filter.expiresAt() == ServedFilter.NEVER) {
      reply.integer(-1);
    } else {
      long left = Math.max(0, filter.expiresAt() - keyspace.now());
      reply.integer((left + unit / 2) / unit);
    }
  }

  private void dbSize(Client client, Request request, RespWriter reply) {
    reply.integer(keyspace.live().size());
  }

  private void flush(Client client, Request request, RespWriter reply) {
    boolean plain = request.count() == 1;
    if (!plain && (request.count() > 2 || !(request.is(1, "ASYNC") || request.is(1, "SYNC")))) {
      throw new CommandException("ERR syntax error");
    }
    keyspace.clear();
    reply.simple("OK");
  }
}
