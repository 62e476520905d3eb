package dev.unseen.kafka;

import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.LateRecordException;
import dev.unseen.hash.Hash64;
import java.io.IOException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Lets each key through once: hashes it, and asks the store. */
final class DeduplicationProcessor<K, V> implements Processor<K, V, K, V> {
  /** What to do with a record. */
  private enum Verdict {
    FIRST,
    DUPLICATE,
    LATE
  }

  private final KeyValueMapper<? super K, ? super V, ?> keyOf;
  private final String storeName;
  private final StoreSetup setup;
  private final NullKeys nullKeys;
  private final Children children;
  private ProcessorContext<K, V> context;
  private KeyValueStore<Bytes, byte[]> store;
  private byte[] head;
  private HeadSchedule heads;
  private Hash64 hash;
  private Class<?> keyType;
  private Key<Object> key; // for that type

  DeduplicationProcessor(
      KeyValueMapper<? super K, ? super V, ?> keyOf,
      String storeName,
      StoreSetup setup,
      NullKeys nullKeys,
      Children children) {
    this.keyOf = keyOf;
    this.storeName = storeName;
    this.setup = setup;
    this.nullKeys = nullKeys;
    this.children = children;
  }

  /** Begins when the store has been restored, and its secret is known. */
  @Override
  public void init(ProcessorContext<K, V> processorContext) {
    context = processorContext;
    store = context.getStateStore(storeName);
    head = store.get(ChangelogFormat.HEAD);
    heads = new HeadSchedule(setup.changelogRetention());
    try {
      hash = ChangelogFormat.readHead(head).spec().keyHash();
    } catch (IOException e) {
      throw new StreamsException("the head that was just made cannot be read", e);
    }
  }

  @Override
  public void process(Record<K, V> record) {
    Object recordKey = keyOf.apply(record.key(), record.value());
    if (recordKey == null) {
      deliver(record, admitsNull(record) ? Verdict.FIRST : Verdict.DUPLICATE);
    } else {
      deliver(record, verdict(hashOf(recordKey), record));
    }
  }

  private void deliver(Record<K, V> record, Verdict verdict) {
    switch (verdict) {
      case FIRST -> {
        if (children.once() == null) {
          context.forward(record);
        } else {
          context.forward(record, children.once());
        }
      }
      case DUPLICATE -> forward(record, children.duplicates());
      case LATE -> forward(record, children.late());
    }
  }

  private void forward(Record<K, V> record, String child) {
    if (child != null) {
      context.forward(record, child);
    }
  }

  private Verdict verdict(long hashOfKey, Record<K, V> record) {
    try {
      return verdict(hashOfKey, record.timestamp());
    } catch (LateRecordException e) {
      throw DeduplicationRefusedException.late(place(record), e);
    }
  }

  private Verdict verdict(long hashOfKey, long millis) {
    if (heads.isDue(context.currentSystemTimeMs())) {
      store.put(ChangelogFormat.HEAD, head); // before the first entry that it is for
    }
    Bytes entry = Bytes.wrap(ChangelogFormat.bytes(hashOfKey));
    byte[] time = ChangelogFormat.bytes(millis);
    byte[] answer = store.putIfAbsent(entry, time);
    if (answer == null) {
      heads.countEntry();
      return Verdict.FIRST;
    }
    if (ChangelogFormat.isLate(answer)) {
      return ChangelogFormat.isLateAdmitted(answer) ? Verdict.FIRST : Verdict.LATE;
    }
    if (ChangelogFormat.isRefresh(answer)) {
      store.put(entry, time);
      heads.countEntry();
    }
    return Verdict.DUPLICATE;
  }

  private long hashOf(Object recordKey) {
    if (recordKey.getClass() != keyType) {
      keyType = recordKey.getClass();
      key = keyFor(keyType);
    }
    return key.hash(recordKey, hash);
  }

  @SuppressWarnings("unchecked") // it gets keys of that type alone
  private static Key<Object> keyFor(Class<?> type) {
    try {
      return (Key<Object>) Keys.ofType(type);
    } catch (IllegalArgumentException e) {
      throw new DeduplicationRefusedException(e.getMessage(), e);
    }
  }

  private boolean admitsNull(Record<K, V> record) {
    if (nullKeys == NullKeys.FAIL) {
      throw new DeduplicationRefusedException(
          "the key of a record is null (%s); drop such records first, choose another key, or say what becomes of them: nullKeys(NullKeys.ADMIT) or nullKeys(NullKeys.DROP)"
              .formatted(place(record)),
          null);
    }
    return nullKeys == NullKeys.ADMIT;
  }

  private String place(Record<K, V> record) {
    return context
        .recordMetadata()
        .map(at -> "%s, partition %d, offset %d".formatted(at.topic(), at.partition(), at.offset()))
        .orElse("timestamp " + record.timestamp());
  }
}
