package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A gate as a store of Kafka Streams, for one partition.
 *
 * <p>It looks like a store of keys and values, because Kafka Streams writes changelogs for its own
 * kinds of stores only: {@link #putIfAbsent} asks the gate, and what it admits is logged. It
 * answers for no other key or value than those of {@link ChangelogFormat}.
 */
final class GateStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;
  private final StoreSetup setup;
  private PartitionGate partition;
  private GateMeasures measures;
  private StoreFile file; // null: in memory only
  private String task;
  private boolean open;

  GateStore(String name, StoreSetup setup) {
    this.name = name;
    this.setup = setup;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    String topic = context.applicationId() + "-" + name + "-changelog";
    int partitions = setup.topic(topic, context.appConfigs()).partitions();
    requireMemory(partitions);
    String changelog = "partition %d of %s".formatted(context.taskId().partition(), topic);
    file =
        setup.snapshotEvery() == null
            ? null
            : new StoreFile(context.stateDir().toPath(), name, setup.snapshotEvery());
    Optional<Snapshot> saved = file == null ? Optional.empty() : file.load();
    partition =
        saved.isPresent()
            ? new PartitionGate(
                setup.options(), partitions, "the state of " + changelog, saved.get())
            : new PartitionGate(setup.options(), partitions, changelog);
    measures = new GateMeasures(name, context.taskId().toString(), context.metrics());
    measures.refresh(partition.peek());
    task = context.taskId().toString();
    setup.opened(task, measures);
    context.register(root, (BatchingStateRestoreCallback) this::restore);
    open = true;
  }

  /** Rejects a share of the memory that is too small for a filter, or too large for the heap. */
  private void requireMemory(int partitions) {
    long bytes;
    try {
      bytes = setup.options().of(partitions).spec().storageBytes();
    } catch (IllegalArgumentException e) {
      throw new DeduplicationRefusedException(
          "the memory is divided over %d partitions: %s".formatted(partitions, e.getMessage()), e);
    }
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap) {
      throw new DeduplicationRefusedException(
          "the filter of a partition takes %s of heap, and Java's heap (-Xmx) is %s; raise it, or ask for less memory"
              .formatted(Print.bytes(bytes), Print.bytes(heap)),
          null);
    }
  }

  private void restore(Collection<KeyValue<byte[], byte[]>> entries) {
    partition.restore(entries);
    measures.refreshAtTimes(partition.peek());
    if (file != null) {
      file.changed();
    }
  }

  /**
   * Asks the gate for a hash.
   *
   * @param value receives the time at which the key counts as seen, which is then logged
   * @return null if the hash is new; {@link ChangelogFormat#late} if it cannot be checked; {@link
   *     ChangelogFormat#refresh} if it is a duplicate that is put, so that it is logged too; else
   *     the value
   */
  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    Gate gate = partition.ready();
    long hash = ChangelogFormat.number(key.get());
    long millis = ChangelogFormat.number(value);
    boolean late = gate.isTooLate(hash, millis);
    boolean firstInHalf = !late && partition.isFirstInHalf(hash, millis);
    boolean fresh = gate.admit(hash, millis);
    measures.refreshAtTimes(gate);
    if (late) {
      return ChangelogFormat.late(fresh);
    }
    if (file != null) {
      file.changed();
    }
    ChangelogFormat.put(gate.seenAt(millis), value);
    if (fresh) {
      return null;
    }
    return firstInHalf ? ChangelogFormat.refresh() : value;
  }

  /** Takes what is to be logged, and changes nothing here: a head, or a duplicate. */
  @Override
  public void put(Bytes key, byte[] value) {
    boolean known = ChangelogFormat.isHead(key.get()) || ChangelogFormat.isEntry(key.get(), value);
    if (!known) {
      throw new UnsupportedOperationException("a gate takes hashes alone");
    }
  }

  /** Returns the head. */
  @Override
  public byte[] get(Bytes key) {
    if (!key.equals(ChangelogFormat.HEAD)) {
      throw new UnsupportedOperationException("a gate does not tell what it has seen");
    }
    return partition.head();
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    entries.forEach(entry -> put(entry.key, entry.value));
  }

  @Override
  public byte[] delete(Bytes key) {
    throw new UnsupportedOperationException("a gate forgets by itself, and deletes nothing");
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    throw new UnsupportedOperationException("a gate cannot list what it has seen");
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null);
  }

  @Override
  public long approximateNumEntries() {
    return partition.peek().admitted();
  }

  @Override
  public boolean persistent() {
    return setup.snapshotEvery() != null;
  }

  /**
   * Kafka 4.3 asks; later versions will take it for granted, so it is deprecated from the start.
   */
  @Override
  @SuppressWarnings("deprecation")
  public boolean managesOffsets() {
    return persistent();
  }

  @Override
  public Long committedOffset(TopicPartition changelog) {
    return file == null ? null : file.offset();
  }

  /** All that was put before is in the changelog up to this offset. */
  @Override
  public void commit(Map<TopicPartition, Long> offsets) {
    measures.refreshAtTimes(partition.peek());
    if (file != null) {
      file.committed(offsets.values(), partition.peek());
    }
  }

  /** Kafka Streams asks for it at each put. This store is never queried. */
  @Override
  public Position getPosition() {
    return Position.emptyPosition();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      if (file != null) {
        file.close(partition.peek());
      }
      setup.closed(task, measures);
      measures.close();
      partition = null;
    }
  }
}
