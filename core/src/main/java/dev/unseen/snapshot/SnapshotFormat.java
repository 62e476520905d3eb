package dev.unseen.snapshot;

import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.base.OverlapGuard;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.LockedShard;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.state.Counts;
import dev.unseen.state.Stateful;
import dev.unseen.state.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the bytes of a saved state, version 1; {@code docs/snapshot-format.md} shows the
 * layout. All numbers are little-endian.
 *
 * <pre>
 * [magic 8][version 4][zero 4]
 * [block 0: head]
 * for each part (the filter, or each of its shards that is held; then the audit, if there is one):
 *   [block: the part's numbers]
 *   [block: up to 1 MiB of its storage] ...
 * for each predecessor: [block: head] and its parts, likewise
 * [last block: end mark]
 *
 * a block: [kind 4][index 4][length 4][payload][CRC32C 4 of all that comes before it in the block]
 * </pre>
 *
 * <p>Writing and reading use one buffer of the size of a block, so the storage is never copied as a
 * whole.
 */
final class SnapshotFormat {
  static final int VERSION = 1;

  /** A byte beyond ASCII, a name, and both line ends, which programs for text break visibly. */
  static final long MAGIC = 0x0A1A0A0D534E5589L;

  private SnapshotFormat() {}

  static void write(Snapshot snapshot, WritableByteChannel to) throws IOException {
    write(snapshot, to, BlockWriter.newBuffer());
  }

  static void write(Snapshot snapshot, OutputStream to) throws IOException {
    write(snapshot, Channels.newChannel(to), BlockWriter.newHeapBuffer());
    to.flush();
  }

  static void write(Snapshot snapshot, WritableByteChannel to, ByteBuffer buffer)
      throws IOException {
    snapshot.requireStorage();
    if (snapshot.filter() instanceof ShardedFilter) {
      HeldBytes held = new HeldBytes(to);
      writeAll(snapshot.counted(), new BlockWriter(held, buffer), held);
      return;
    }
    OverlapGuard guard = ((BatchingFilter) snapshot.filter()).guard();
    guard.enterIntact();
    try {
      writeAll(snapshot, new BlockWriter(to, buffer), null);
    } finally {
      guard.exit();
    }
  }

  private static void writeAll(Snapshot snapshot, BlockWriter blocks, @Nullable HeldBytes held)
      throws IOException {
    writeParts(snapshot, blocks, held);
    for (Snapshot predecessor : snapshot.predecessors()) {
      writeParts(predecessor, blocks, held);
    }
    blocks.endOfFile();
    release(held);
  }

  private static void writeParts(Snapshot snapshot, BlockWriter blocks, @Nullable HeldBytes held)
      throws IOException {
    writeHead(snapshot, blocks);
    for (Stateful part : snapshot.parts()) {
      release(held);
      if (part instanceof LockedShard shard && held != null) {
        shard.alone(() -> writeHeld(shard, blocks));
      } else {
        synchronized (part) { // an audit of shards may be in use
          part.state(new StateWriter(blocks));
        }
      }
    }
  }

  private static Void writeHeld(LockedShard shard, BlockWriter blocks) {
    try {
      shard.state(new StateWriter(blocks));
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the bytes are held in memory
    }
  }

  private static void release(@Nullable HeldBytes held) throws IOException {
    if (held != null) {
      held.release();
    }
  }

  private static void writeHead(Snapshot snapshot, BlockWriter blocks) throws IOException {
    blocks.begin(Frame.HEAD);
    putHead(snapshot, blocks.payload());
    blocks.end();
  }

  /**
   * Reads a state of at most this size to the last byte, and allocates no memory for a larger
   * claim.
   */
  static Snapshot read(ReadableByteChannel from, long size, String name) throws IOException {
    BlockReader blocks = new BlockReader(from, size, name);
    Snapshot snapshot = readAll(blocks, shard -> true);
    blocks.endOfFile();
    return snapshot;
  }

  /** Reads and checks a state in a small memory, and keeps only its head and its numbers. */
  static Snapshot check(ReadableByteChannel from, long size, String name) throws IOException {
    return check(new BlockReader(from, size, name));
  }

  static Snapshot check(BlockReader blocks) throws IOException {
    Snapshot snapshot = readAll(blocks, shard -> false).withoutStorage();
    blocks.endOfFile();
    return snapshot;
  }

  static Snapshot read(ReadableByteChannel from, String name) throws IOException {
    BlockReader blocks = new BlockReader(from, BlockReader.UNKNOWN_SIZE, name);
    Snapshot snapshot = readAll(blocks, shard -> true);
    blocks.endMark();
    return snapshot;
  }

  static Snapshot readShards(ReadableByteChannel from, String name, IntPredicate shards)
      throws IOException {
    BlockReader blocks = new BlockReader(from, BlockReader.UNKNOWN_SIZE, name);
    Snapshot all = readAll(blocks, shards);
    blocks.endMark();
    if (!(all.filter() instanceof ShardedFilter)) {
      throw new SnapshotException(
          "%s: the filter of this state is not in shards; start again with a filter in shards, which concurrent() creates"
              .formatted(name));
    }
    return all.keeping(shards);
  }

  static boolean isState(InputStream from) throws IOException {
    byte[] begin = from.readNBytes(Long.BYTES);
    return begin.length == Long.BYTES
        && ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN).getLong() == MAGIC;
  }

  /** Reads all but the end mark; of a shard that is not kept, words are checked and left. */
  private static Snapshot readAll(BlockReader blocks, IntPredicate kept) throws IOException {
    int[] predecessors = new int[1];
    Snapshot snapshot = readParts(blocks, kept, predecessors);
    List<Snapshot> replaced = new ArrayList<>();
    for (int i = predecessors[0]; i > 0; i--) {
      replaced.add(readParts(blocks, kept, predecessors));
      if (predecessors[0] > 0) {
        throw blocks.damaged("is a predecessor with predecessors of its own");
      }
    }
    return snapshot.withPredecessors(replaced);
  }

  private static Snapshot readParts(BlockReader blocks, IntPredicate kept, int[] predecessors)
      throws IOException {
    blocks.begin(Frame.HEAD);
    Snapshot snapshot;
    try {
      snapshot = getHead(blocks.payload(), blocks, kept, predecessors);
    } catch (BufferUnderflowException e) {
      throw blocks.damaged("is too short for its contents", e);
    } catch (IllegalArgumentException e) {
      throw blocks.damaged("is not valid: " + e.getMessage(), e);
    }
    long @Nullable [] scratch = null;
    for (Stateful part : snapshot.parts()) {
      if (!isKept(part, kept) && scratch == null) {
        scratch = new long[StateWriter.WORDS_PER_BLOCK];
      }
      part.state(new StateReader(blocks, isKept(part, kept) ? null : scratch));
    }
    return snapshot.counted(); // shards may have been in use while they were written
  }

  /** A state that is not in shards, or its audit, is kept if there is a shard 0. */
  private static boolean isKept(Stateful part, IntPredicate kept) {
    return kept.test(part instanceof LockedShard shard ? shard.index() : 0);
  }

  private static void putHead(Snapshot snapshot, ByteBuffer to) {
    to.putLong(snapshot.savedAtMillis());
    to.putLong(Math.min(snapshot.records(), Counts.MOST));
    to.putLong(Math.min(snapshot.admitted(), Counts.MOST));
    to.putDouble(snapshot.maxFpr());
    to.putInt(snapshot.shards());
    snapshot.spec().write(to);
    to.putLong(snapshot.audit().map(audit -> audit.spec().oneIn()).orElse(0L));
    to.putLong(snapshot.audit().map(audit -> audit.spec().memoryBytes()).orElse(0L));
    putTexts(snapshot.metadata(), to);
    putTexts(HeadFields.of(snapshot).texts(), to);
  }

  private static Snapshot getHead(
      ByteBuffer from, BlockReader blocks, IntPredicate kept, int[] predecessors)
      throws IOException {
    long savedAtMillis = from.getLong();
    long records = from.getLong();
    long admitted = from.getLong();
    if (records > Counts.MOST) {
      throw new IllegalArgumentException(
          "records (%d) must be at most %d".formatted(records, Counts.MOST));
    }
    double maxFpr = from.getDouble();
    int shards = from.getInt();
    FilterSpec publicSpec = FilterSpec.read(from);
    long oneIn = from.getLong();
    long auditBytes = from.getLong();
    Optional<AuditSpec> auditSpec =
        oneIn == 0 ? Optional.empty() : Optional.of(new AuditSpec(oneIn, auditBytes));
    Map<String, String> metadata = getTexts(from);
    HeadFields fields = new HeadFields(getTexts(from));
    if (from.hasRemaining()) {
      throw new IllegalArgumentException(from.remaining() + " bytes too many");
    }
    predecessors[0] = fields.predecessors();
    FilterSpec spec = fields.withSecret(publicSpec);
    if (shards != 1 && shards != ShardedFilter.SHARDS) {
      throw new IllegalArgumentException(
          "shards (%d) must be 1 or %d".formatted(shards, ShardedFilter.SHARDS));
    }
    int[] held = shards == 1 ? new int[0] : fields.shards();
    long auditStorage = auditSpec.map(AuditSpec::memoryBytes).orElse(0L) / 32 * 32;
    int parts = shards == 1 ? 1 : held.length;
    long shardStorage = 0;
    if (parts > 0) {
      shardStorage = shards == 1 ? spec.storageBytes() : ShardedFilter.shardBytes(spec);
    }
    blocks.requireRoomFor(parts * shardStorage + auditStorage);
    long keptParts = shards == 1 ? (kept.test(0) ? 1 : 0) : IntStream.of(held).filter(kept).count();
    if (keptParts > 0) {
      requireHeapFor(keptParts * shardStorage + auditStorage, blocks);
    }
    DuplicateFilter filter =
        Words.allocatedLater(
            () -> shards == 1 ? Filters.create(spec) : ShardedFilter.of(spec, held));
    Snapshot snapshot =
        Snapshot.of(filter, records, admitted)
            .withSavedAt(savedAtMillis)
            .withMaxFpr(maxFpr)
            .withKeyForm(fields.keyForm())
            .with(fields.clock())
            .withDropped(fields.dropped())
            .with(metadata);
    return auditSpec
        .map(audit -> snapshot.with(Words.allocatedLater(() -> new Audit(audit, spec))))
        .orElse(snapshot);
  }

  /** Rejects a filter that the heap cannot hold. The state itself is not damaged. */
  private static void requireHeapFor(long bytes, BlockReader blocks) throws SnapshotException {
    try {
      Words.requireHeapFor(bytes);
    } catch (IllegalArgumentException e) {
      throw blocks.rejected(e);
    }
  }

  private static void putTexts(Map<String, String> texts, ByteBuffer to) {
    to.putInt(texts.size());
    // In the order of the keys, so that equal states are equal files.
    new TreeMap<>(texts)
        .forEach(
            (key, value) -> {
              putText(key, to);
              putText(value, to);
            });
  }

  private static void putText(String text, ByteBuffer to) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length + 2 * Integer.BYTES > to.remaining()) {
      throw new IllegalArgumentException(
          "metadata (a text of %d bytes) must fit into 1 MiB in total; save shorter texts"
              .formatted(bytes.length));
    }
    to.putInt(bytes.length);
    to.put(bytes);
  }

  private static Map<String, String> getTexts(ByteBuffer from) {
    int count = from.getInt();
    if (count < 0 || count > from.remaining() / (2 * Integer.BYTES)) {
      throw new IllegalArgumentException(
          "there are %s texts, but only %d bytes are left"
              .formatted(Integer.toUnsignedString(count), from.remaining()));
    }
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String key = getText(from);
      texts.put(key, getText(from));
    }
    return texts;
  }

  private static String getText(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException(
          "a text has %d bytes, but only %d are left".formatted(length, from.remaining()));
    }
    ByteBuffer bytes = from.slice(from.position(), length);
    from.position(from.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a text of %d bytes is not UTF-8".formatted(length), e);
    }
  }
}
