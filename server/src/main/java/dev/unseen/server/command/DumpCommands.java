package dev.unseen.server.command;

import static dev.unseen.server.command.Command.Keys.FIRST;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.Gate;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.server.access.Rights;
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
  private static final String LOAD =
      "; load the parts that BF.SCANDUMP has returned, unchanged and in their order";

  private final Context context;
  private final Keyspace keyspace;
  private final Map<String, Loading> loading = new LinkedHashMap<>();

  private DumpCommands(Context context) {
    this.context = context;
    this.keyspace = context.keyspace();
  }

  static void declare(CommandTable table, Context context) {
    DumpCommands all = new DumpCommands(context);
    // A part tells the secret that items are hashed with, which is not for everybody who may ask.
    table.add("BF.SCANDUMP", 3, Rights.ADMIN, FIRST, "Returns a part of a filter.", all::dump);
    table.add("BF.LOADCHUNK", 4, Rights.WRITE, FIRST, "Loads a part of a filter.", all::load);
  }

  private static int parts(ServedFilter filter) {
    return filter.isSharded() ? ShardedFilter.SHARDS : 1;
  }

  private void dump(Client client, Request request, RespWriter reply) {
    ServedFilter filter = keyspace.require(request.binary(1));
    long iterator = NumberArguments.integer(request, 2, "Second argument must be numeric");
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
    long iterator = NumberArguments.integer(request, 2, "ERR Second argument must be numeric");
    String name = request.binary(1);
    if (keyspace.find(name) != null) {
      throw new CommandException("ERR item exists");
    }
    byte[] data = request.copy(3);
    if (iterator == 1) {
      keyspace.requireRoomFor(name);
      begin(name, new String(data, UTF_8));
      reply.simple("OK");
      return;
    }
    Loading begun = loading.get(name);
    if (begun == null) {
      throw new CommandException("ERR not found");
    }
    try {
      begun.add(iterator, data);
    } catch (IllegalArgumentException e) {
      drop(name);
      throw new CommandException("ERR received bad data: " + e.getMessage());
    }
    if (!begun.isComplete()) {
      reply.simple("OK");
      return;
    }
    drop(name); // its memory is counted again as that of the filter
    client.later(
        () -> {
          finish(name, begun);
          return r -> r.simple("OK");
        });
  }

  private void begin(String name, String head) {
    String[] words = head.split(" ", 3);
    if (!head.startsWith(HEAD) || words.length != 3) {
      throw new CommandException(
          "ERR received bad data: this is no dump of Unseen; dumps of RedisBloom cannot be loaded, because its filters hash in another way");
    }
    Loading next = Loading.of(words[2], words[1], keyspace.secret());
    drop(name);
    if (loading.size() >= MAX_LOADING) {
      drop(loading.keySet().iterator().next()); // the oldest, which nobody has finished
    }
    keyspace.budget().take(next.cost, "the filter that is loaded");
    loading.put(name, next);
  }

  /** Forgets what was loaded of a filter, and gives back its memory. */
  private void drop(String name) {
    Loading begun = loading.remove(name);
    if (begun != null) {
      keyspace.budget().giveBack(begun.cost);
    }
  }

  private void finish(String name, Loading begun) throws IOException {
    Gate gate =
        Gate.builder()
            .clock(keyspace.clock())
            .onAlarm(Keyspace.alarmOf(name))
            .restore(begun.joined);
    keyspace.add(name, begun.definition, gate);
    if (context.durability().isPresent()) {
      Durability durability = context.durability().get();
      durability.save(); // the journal knows nothing of its items
    }
  }

  /** A filter of which some parts have come. */
  private static final class Loading {
    private final FilterDefinition definition;
    private final FilterSpec spec;
    private final long cost;
    private final int parts;
    private Snapshot joined; // null: none has come
    private int count;

    private Loading(FilterDefinition definition, Secret secret, int parts) {
      this.definition = definition;
      this.spec = definition.spec(secret);
      this.cost = definition.cost(secret);
      this.parts = parts;
    }

    static Loading of(String text, String parts, Secret secret) {
      Loading loading;
      try {
        loading = new Loading(FilterDefinition.parse(text), secret, Integer.parseInt(parts));
      } catch (IllegalArgumentException e) { // its message is for those who write Java
        throw new CommandException(
            "ERR received bad data: the first part does not describe a filter" + LOAD);
      }
      boolean divided = loading.parts == 1 || loading.parts == ShardedFilter.SHARDS;
      if (!divided || loading.definition.setMillis() != 0) {
        throw new CommandException(
            "ERR received bad data: %s parts of '%s'".formatted(parts, text));
      }
      return loading;
    }

    void add(long iterator, byte[] data) {
      if (iterator != count + 2) {
        throw new IllegalArgumentException(
            "part %d was expected, but %d has come; load the parts in their order"
                .formatted(count + 2, iterator));
      }
      Snapshot next = read(iterator, data);
      FilterSpec its = next.spec();
      if (its.memoryBytes() != spec.memoryBytes()
          || its.kind() != spec.kind()
          || !its.window().equals(spec.window())) {
        throw new IllegalArgumentException(
            "the part belongs to another filter (%s) than the first part describes (%s)"
                .formatted(its.describe(), spec.describe()));
      }
      joined = joined == null ? next : SnapshotMerge.merge(joined, next);
      count++;
    }

    private static Snapshot read(long iterator, byte[] data) {
      try {
        return SnapshotFormat.read(Channels.newChannel(new ByteArrayInputStream(data)), "part");
      } catch (IOException | IllegalArgumentException e) { // its message speaks of files
        throw new IllegalArgumentException(
            "part %d is damaged, or not a part of a dump%s".formatted(iterator, LOAD), e);
      }
    }

    boolean isComplete() {
      return count == parts;
    }
  }
}
