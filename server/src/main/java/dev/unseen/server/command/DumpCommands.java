package dev.unseen.server.command;

import static dev.unseen.server.command.Command.Keys.FIRST;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.Gate;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.server.Refused;
import dev.unseen.server.Rights;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotFormat;
import dev.unseen.snapshot.SnapshotMerge;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies filters between servers, with RedisBloom's commands.
 *
 * <pre>
 * BF.SCANDUMP key 0   →  1, the definition and the number of parts
 * BF.SCANDUMP key 1   →  2, the first part: a shard, or the whole of a small filter, as a state
 * ...
 * BF.SCANDUMP key n+1 →  0, nothing
 * </pre>
 *
 * <p>The filter is there for others once its last part has been loaded.
 */
final class DumpCommands {
  private static final int MAX_LOADING = 4;
  private static final String HEAD = "unseen-dump ";

  private final Context context;
  private final Keyspace keyspace;
  private final Map<String, Loading> loading = new LinkedHashMap<>();

  private DumpCommands(Context context) {
    this.context = context;
    this.keyspace = context.keyspace();
  }

  static void declare(CommandTable table, Context context) {
    DumpCommands all = new DumpCommands(context);
    table.add("BF.SCANDUMP", 3, Rights.READ, FIRST, "Returns a part of a filter.", all::dump);
    table.add("BF.LOADCHUNK", 4, Rights.WRITE, FIRST, "Loads a part of a filter.", all::load);
  }

  private static int parts(ServedFilter filter) {
    return filter.isSharded() ? ShardedFilter.SHARDS : 1;
  }

  private void dump(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.require(request.binary(1));
    long iterator = Arguments.integer(request, 2, "Second argument must be numeric");
    byte[] data = new byte[0];
    long next = 0;
    if (iterator == 0) {
      data = (HEAD + parts(filter) + " " + filter.definition().text()).getBytes(UTF_8);
      next = 1;
    } else if (iterator >= 1 && iterator <= parts(filter)) {
      data = part(filter, (int) iterator - 1);
      next = iterator + 1;
    }
    reply.array(2);
    reply.integer(next);
    reply.bulk(data);
  }

  private static byte[] part(ServedFilter filter, int index) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    filter.guarded(
        gate -> {
          try {
            if (filter.isSharded()) {
              gate.saveShard(index, bytes);
            } else {
              gate.save(bytes, Map.of());
            }
            return null;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return bytes.toByteArray();
  }

  private synchronized void load(Client client, Request request, RespWriter reply) {
    long iterator = Arguments.integer(request, 2, "ERR Second argument must be numeric");
    String name = request.binary(1);
    if (keyspace.find(name) != null) {
      throw new Refused("ERR item exists");
    }
    byte[] data = request.copy(3);
    if (iterator == 1) {
      begin(name, new String(data, UTF_8));
      reply.simple("OK");
      return;
    }
    Loading begun = loading.get(name);
    if (begun == null) {
      throw new Refused("ERR not found");
    }
    try {
      begun.add(iterator, data);
    } catch (IOException | IllegalArgumentException e) {
      loading.remove(name);
      throw new Refused("ERR received bad data: " + e.getMessage());
    }
    if (!begun.isComplete()) {
      reply.simple("OK");
      return;
    }
    loading.remove(name);
    client.later(
        () -> {
          finish(name, begun);
          return r -> r.simple("OK");
        });
  }

  private void begin(String name, String head) {
    String[] words = head.split(" ", 3);
    if (!head.startsWith(HEAD) || words.length != 3) {
      throw new Refused(
          "ERR received bad data: this is no dump of Unseen; dumps of RedisBloom cannot be loaded, because its filters hash in another way");
    }
    if (loading.size() >= MAX_LOADING) {
      loading.remove(loading.keySet().iterator().next()); // the oldest, which nobody has finished
    }
    FilterDefinition definition = FilterDefinition.parse(words[2]);
    loading.remove(name);
    long begun = loading.values().stream().mapToLong(each -> each.cost).sum();
    long room = keyspace.budget().limit() - keyspace.budget().used() - begun;
    long cost = definition.cost(keyspace.secret());
    if (cost > room) {
      throw new Refused(
          "OOM the filter needs %d bytes, but only %d of %d are free; delete a filter, or start the server with a larger --max-memory"
              .formatted(cost, room, keyspace.budget().limit()));
    }
    loading.put(name, new Loading(definition, cost, Integer.parseInt(words[1])));
  }

  private void finish(String name, Loading begun) throws IOException {
    Gate gate =
        Gate.builder()
            .clock(keyspace.clock())
            .onAlarm(Keyspace.alarmOf(name))
            .restore(begun.joined);
    ServedFilter filter = keyspace.adopt(0, name, begun.definition, gate);
    keyspace.journal().created(filter);
    if (context.durability().isPresent()) {
      Durability durability = context.durability().get();
      durability.save(); // the journal knows nothing of its items
    }
  }

  /** A filter of which some parts have come. */
  private static final class Loading {
    private final FilterDefinition definition;
    private final long cost;
    private final int parts;
    private Snapshot joined; // null: none has come
    private int count;

    Loading(FilterDefinition definition, long cost, int parts) {
      this.definition = definition;
      this.cost = cost;
      this.parts = parts;
    }

    void add(long iterator, byte[] data) throws IOException {
      if (iterator != count + 2) {
        throw new IllegalArgumentException(
            "part %d was expected, but %d has come; load the parts in their order"
                .formatted(count + 2, iterator));
      }
      Snapshot next =
          SnapshotFormat.read(
              Channels.newChannel(new ByteArrayInputStream(data)), "part " + iterator);
      if (next.spec().memoryBytes() > cost) {
        throw new IllegalArgumentException(
            "the part belongs to a filter of %d bytes, but the first part says at most %d"
                .formatted(next.spec().memoryBytes(), cost));
      }
      joined = joined == null ? next : SnapshotMerge.merge(joined, next);
      count++;
    }

    boolean isComplete() {
      return count == parts;
    }
  }
}
