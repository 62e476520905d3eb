package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.util.Collection;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A gate as a store of Kafka Streams, for one partition: decides about each record, and logs what
 * it admits.
 *
 * <p>Without transactions, a crash may keep the logged key of a record and lose its output. So each
 * entry of the changelog then contains where its record came from, and a <em>mark</em> is logged
 * after a commit. A restored store knows which records were logged after the last mark, and lets
 * them pass when they are processed again.
 */
final class GateStore implements StateStore {
  /** What to do with a record. */
  enum Verdict {
    FIRST,
    DUPLICATE,
    LATE
  }

  /**
   * A commit is requested after so many entries, because a store that is restored after a crash
   * holds those without a commit in memory.
   */
  private static final int MOST_UNCOMMITTED = 1 << 17;

  private final String name;
  private final StoreSetup setup;
  private final KeyValueStore<Bytes, byte[]> changelog;
  private final UncommittedRecords uncommitted = new UncommittedRecords(); // of earlier runs
  private final SourceOffsets processed = new SourceOffsets();
  private PartitionGate partition;
  private GateMeasures measures;
  private StoreFile file; // null: in memory only
  private HeadSchedule heads;
  private String task;
  private boolean logsSources; // whether there are no transactions
  private int entriesSinceCommit;
  private int entriesSinceMark;
  private Map<Integer, Long> mark; // to be logged; null: none
  private boolean open;

  GateStore(String name, StoreSetup setup, Map<String, String> topicConfig) {
    this.name = name;
    this.setup = setup;
    this.changelog =
        Stores.keyValueStoreBuilder(
                new ChangelogStore(name, this::register), Serdes.Bytes(), Serdes.ByteArray())
            .withCachingDisabled()
            .withLoggingEnabled(topicConfig)
            .build();
  }

  private void register(StateStoreContext context, StateStore root) {
    context.register(root, (BatchingStateRestoreCallback) this::restore, this::committed);
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
    String place = "partition %d of %s".formatted(context.taskId().partition(), topic);
    file =
        setup.snapshotEvery() == null
            ? null
            : new StoreFile(context.stateDir().toPath(), name, setup.snapshotEvery());
    Snapshot saved = file == null ? null : file.load().orElse(null);
    partition = new PartitionGate(setup.options(), partitions, place, saved);
    logsSources = !isExactlyOnce(context.appConfigs());
    heads = new HeadSchedule(setup.changelogRetention());
    task = context.taskId().toString();
    measures = new GateMeasures(name, task, context.metrics(), partition::report);
    setup.opened(task, measures);
    open = true;
    changelog.init(context, root);
  }

  private static boolean isExactlyOnce(Map<String, Object> config) {
    Object guarantee = config.get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    return guarantee != null && guarantee.toString().startsWith("exactly_once");
  }

  /** Rejects a share of the memory that is too small for a filter, or too large for the heap. */
  private void requireMemory(int partitions) {
    long bytes;
    try {
      bytes = setup.options().of(partitions).spec().storageBytes();
      bytes *= persistent() ? 2 : 1; // a copy is made to save it
    } catch (IllegalArgumentException e) {
      throw new DeduplicationRejectedException(
          "the memory is divided over %d partitions: %s".formatted(partitions, e.getMessage()), e);
    }
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap) {
      throw new DeduplicationRejectedException(
          "the filter of a partition takes %s of heap%s, and Java's heap (-Xmx) is %s; raise it, or ask for less memory"
              .formatted(
                  Print.bytes(bytes),
                  persistent() ? " with the copy that snapshots need" : "",
                  Print.bytes(heap)),
          null);
    }
  }

  private void restore(Collection<KeyValue<byte[], byte[]>> entries) {
    processed.clear();
    mark = null;
    for (KeyValue<byte[], byte[]> entry : entries) {
      if (ChangelogFormat.hasSource(entry.key, entry.value)) {
        uncommitted.add(ChangelogFormat.record(entry.key, entry.value));
      } else if (ChangelogFormat.isMark(entry.key)) {
        uncommitted.removeBelow(ChangelogFormat.mark(entry.value));
      }
    }
    partition.restore(entries);
    if (file != null) {
      file.changed();
    }
  }

  /** Returns the hash function for keys. */
  Hash64 hash() {
    return partition.ready().hash();
  }

  /**
   * Records the form of the keys, for the changelog.
   *
   * @throws DeduplicationRejectedException if the changelog has keys of another form
   */
  void requireKeys(KeyForm form) {
    partition.requireKeys(form);
  }

  /** Returns whether the store has to hash keys itself, because their hashes have changed. */
  boolean rehashes() {
    return partition.ready().rehashes();
  }

  /**
   * Decides about a record, and logs it if it is the first with its key.
   *
   * @param key returns the hash of the key with another hash function; null unless {@link
   *     #rehashes}
   * @param at where the record came from; null if it is not known
   * @param nowMillis the time of the system
   */
  Verdict admit(
      long hash, ToLongFunction<Hash64> key, long millis, RecordMetadata at, long nowMillis) {
    if (at == null || (!logsSources && uncommitted.isEmpty())) {
      return decide(hash, key, millis, null, nowMillis);
    }
    boolean first = processed.advance(at);
    LoggedRecord record = new LoggedRecord(processed.source(), at.offset(), hash);
    if (first) { // reading begins at the committed offset
      uncommitted.removeBelow(Map.of(record.source(), record.offset()));
    }
    return uncommitted.remove(record) || (key != null && removeRehashed(record, key, millis))
        ? Verdict.FIRST
        : decide(hash, key, millis, logsSources ? record : null, nowMillis);
  }

  /** Returns whether a record is processed again that was logged with an earlier hash. */
  private boolean removeRehashed(LoggedRecord record, ToLongFunction<Hash64> key, long millis) {
    boolean[] found = new boolean[1];
    ToLongFunction<Hash64> looking =
        earlier -> {
          long hash = key.applyAsLong(earlier);
          found[0] |= uncommitted.remove(new LoggedRecord(record.source(), record.offset(), hash));
          return hash;
        };
    partition.ready().isKnown(record.hash(), millis, looking); // asks for each earlier hash
    return found[0];
  }

  private Verdict decide(
      long hash, ToLongFunction<Hash64> key, long millis, LoggedRecord record, long nowMillis) {
    Gate gate = partition.ready();
    boolean late = gate.isTooLate(hash, millis);
    boolean firstInHalf = !late && partition.isFirstInHalf(hash, millis);
    if (!late && key != null && gate.isKnown(hash, millis, key)) {
      return decideKnown(hash, millis, firstInHalf, nowMillis);
    }
    boolean fresh = gate.admit(hash, millis);
    if (late) {
      return fresh ? Verdict.FIRST : Verdict.LATE;
    }
    if (file != null) {
      file.changed();
    }
    long seenAt = gate.seenAt(millis);
    if (fresh) {
      log(
          hash,
          record == null
              ? ChangelogFormat.bytes(seenAt)
              : ChangelogFormat.timeAndSource(seenAt, record),
          nowMillis);
    } else if (firstInHalf) {
      log(hash, ChangelogFormat.bytes(seenAt), nowMillis);
    }
    return fresh ? Verdict.FIRST : Verdict.DUPLICATE;
  }

  /** Counts a duplicate that was logged with an earlier hash, and logs its present one. */
  private Verdict decideKnown(long hash, long millis, boolean firstInHalf, long nowMillis) {
    Gate gate = partition.ready();
    boolean logs = firstInHalf || !gate.mightContain(hash, millis);
    gate.admitKnown(hash, millis);
    if (file != null) {
      file.changed();
    }
    if (logs) {
      log(hash, ChangelogFormat.bytes(gate.seenAt(millis)), nowMillis);
    }
    return Verdict.DUPLICATE;
  }

  private void log(long hash, byte[] value, long nowMillis) {
    if (heads.isDue(nowMillis)) {
      changelog.put(ChangelogFormat.HEAD, partition.head()); // before the first entry that needs it
    }
    if (mark != null) {
      changelog.put(ChangelogFormat.MARK, ChangelogFormat.bytes(mark));
      mark = null;
      entriesSinceMark = 0;
    }
    changelog.put(Bytes.wrap(ChangelogFormat.bytes(hash)), value);
    heads.countEntry();
    entriesSinceCommit++;
    entriesSinceMark++;
  }

  /** Returns whether to request a commit, once for each time that one is due. */
  boolean wantsCommit() {
    return logsSources && entriesSinceCommit > 0 && entriesSinceCommit % MOST_UNCOMMITTED == 0;
  }

  /**
   * Records that the offsets of all records that were processed are committed. While a store is
   * restored, none was processed.
   */
  private void committed() {
    entriesSinceCommit = 0;
    Map<Integer, Long> offsets = processed.snapshot();
    uncommitted.removeBelow(offsets);
    if (logsSources && entriesSinceMark > 0 && !offsets.isEmpty()) {
      mark = offsets;
    }
  }

  @Override
  public boolean persistent() {
    return setup.snapshotEvery() != null;
  }

  /** Kafka 4.3 asks. Later versions will assume it, so it was introduced as deprecated. */
  @Override
  @SuppressWarnings("deprecation")
  public boolean managesOffsets() {
    return persistent();
  }

  @Override
  public Long committedOffset(TopicPartition topicPartition) {
    return file == null ? null : file.offset();
  }

  /**
   * Saves the gate if a save is due. All that was put before is in the changelog up to this offset.
   * A file does not contain which records are uncommitted, so it is not written while there are
   * any.
   */
  @Override
  public void commit(Map<TopicPartition, Long> offsets) {
    if (file != null) {
      uncommitted.removeBelow(processed.snapshot());
      if (uncommitted.isEmpty() || offsets.isEmpty()) {
        file.committed(offsets.values(), partition.peek());
      }
    }
  }

  /** Does nothing. Kafka Streams up to 4.2 requires the method. */
  @Override
  @SuppressWarnings("deprecation")
  public void flush() {}

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
      changelog.close();
      setup.closed(task, measures);
      measures.close();
      partition = null;
    }
  }
}
