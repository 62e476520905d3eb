package dev.unseen.kafka;

import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.LateRecordException;
import dev.unseen.NullKeys;
import dev.unseen.hash.Hash64;
import dev.unseen.kafka.GateStore.Verdict;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Lets each key through once: hashes it, and asks the store. */
final class DeduplicationProcessor<K, V> implements Processor<K, V, K, V> {
  private final KeyValueMapper<? super K, ? super V, ?> keyOf;
  private final String storeName;
  private final NullKeys nullKeys;
  private final Children children;
  private ProcessorContext<K, V> context;
  private GateStore store;
  private Hash64 hash;
  private Class<?> keyType;
  private Key<Object> key; // for that type

  DeduplicationProcessor(
      KeyValueMapper<? super K, ? super V, ?> keyOf,
      String storeName,
      NullKeys nullKeys,
      Children children) {
    this.keyOf = keyOf;
    this.storeName = storeName;
    this.nullKeys = nullKeys;
    this.children = children;
  }

  /** Begins when the store has been restored, and its secret is known. */
  @Override
  public void init(ProcessorContext<K, V> processorContext) {
    context = processorContext;
    store = context.getStateStore(storeName);
    hash = store.hash();
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
    Verdict verdict;
    try {
      verdict =
          store.admit(
              hashOfKey,
              record.timestamp(),
              context.recordMetadata().orElse(null),
              context.currentSystemTimeMs());
    } catch (LateRecordException e) {
      throw DeduplicationRefusedException.late(place(record), e);
    }
    if (store.wantsCommit()) {
      context.commit();
    }
    return verdict;
  }

  private long hashOf(Object recordKey) {
    if (recordKey.getClass() != keyType) {
      key = keyFor(recordKey.getClass());
      keyType = recordKey.getClass();
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
