package dev.unseen.kafka;

import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.LateRecordException;
import dev.unseen.hash.Hash64;
import dev.unseen.kafka.GateStore.Verdict;
import java.util.Map;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Lets each key through once: hashes it, and asks the store. It serves {@code process} and {@code
 * processValues}, and is given a context of one kind or the other.
 */
final class DeduplicationProcessor<K, V>
    implements Processor<K, V, K, V>, FixedKeyProcessor<K, V, V> {
  private final KeyValueMapper<? super K, ? super V, ?> keyOf; // null: the key is of the record
  private final String storeName;
  private final NullKeys nullKeys;
  private final Map<Verdict, String> children; // empty: all get first records
  private ProcessorContext<K, V> context; // of process
  private FixedKeyProcessorContext<K, V> valuesContext; // of processValues
  private ProcessingContext anyContext; // the one of the two that exists
  private GateStore store;
  private Hash64 hash;
  private Class<?> keyType; // of the latest key
  private Key<Object> key; // for that type, or for records

  @SuppressWarnings("unchecked") // it gets records alone
  DeduplicationProcessor(
      KeyValueMapper<? super K, ? super V, ?> keyOf,
      Key<? super Record<K, V>> key,
      String storeName,
      NullKeys nullKeys,
      Map<Verdict, String> children) {
    this.keyOf = keyOf;
    this.key = (Key<Object>) (Key<?>) key;
    this.storeName = storeName;
    this.nullKeys = nullKeys;
    this.children = children;
  }

  @Override
  public void init(ProcessorContext<K, V> processorContext) {
    context = processorContext;
    begin(processorContext);
  }

  @Override
  public void init(FixedKeyProcessorContext<K, V> processorContext) {
    valuesContext = processorContext;
    begin(processorContext);
  }

  /** Begins when the store has been restored, and its secret is known. */
  private void begin(ProcessingContext processingContext) {
    anyContext = processingContext;
    store = processingContext.getStateStore(storeName);
    hash = store.hash();
  }

  @Override
  public void process(Record<K, V> record) {
    Object keyed = keyOf == null ? record : keyOf.apply(record.key(), record.value());
    Verdict verdict = verdict(keyed, record.timestamp());
    String child = children.get(verdict);
    if (child != null) {
      context.forward(record, child);
    } else if (children.isEmpty() && verdict == Verdict.FIRST) {
      context.forward(record);
    }
  }

  @Override
  public void process(FixedKeyRecord<K, V> record) {
    Object keyed =
        keyOf == null
            ? new Record<>(record.key(), record.value(), record.timestamp(), record.headers())
            : keyOf.apply(record.key(), record.value());
    Verdict verdict = verdict(keyed, record.timestamp());
    String child = children.get(verdict);
    if (child != null) {
      valuesContext.forward(record, child);
    } else if (children.isEmpty() && verdict == Verdict.FIRST) {
      valuesContext.forward(record);
    }
  }

  private Verdict verdict(Object keyed, long timestamp) {
    if (keyed == null) {
      return admitsNull() ? Verdict.FIRST : Verdict.DUPLICATE;
    }
    Verdict verdict;
    try {
      verdict =
          store.admit(
              hashOf(keyed),
              store.rehashes() ? other -> key.hash(keyed, other) : null,
              timestamp,
              anyContext.recordMetadata().orElse(null),
              anyContext.currentSystemTimeMs());
    } catch (LateRecordException e) {
      throw DeduplicationRejectedException.late(place(), e);
    }
    if (store.wantsCommit()) {
      anyContext.commit();
    }
    return verdict;
  }

  private long hashOf(Object keyed) {
    if (keyOf == null) {
      try {
        return key.hash(keyed, hash);
      } catch (NullPointerException e) {
        throw new DeduplicationRejectedException("%s: %s".formatted(place(), e.getMessage()), e);
      }
    }
    if (keyed.getClass() != keyType) {
      key = keyFor(keyed.getClass());
      store.requireKeys(key.form());
      keyType = keyed.getClass();
    }
    return key.hash(keyed, hash);
  }

  @SuppressWarnings("unchecked") // it gets keys of that type alone
  private static Key<Object> keyFor(Class<?> type) {
    try {
      return (Key<Object>) Keys.ofType(type);
    } catch (IllegalArgumentException e) {
      throw new DeduplicationRejectedException(
          e.getMessage()
              + ". For a key of several fields, use Unseen.deduplicateBy(Keys.composite(...))",
          e);
    }
  }

  private boolean admitsNull() {
    if (nullKeys == NullKeys.FAIL) {
      throw new DeduplicationRejectedException(
          "the key of a record is null (%s); drop such records first, choose another key, or say what becomes of them: nullKeys(NullKeys.ADMIT) or nullKeys(NullKeys.DROP)"
              .formatted(place()),
          null);
    }
    return nullKeys == NullKeys.ADMIT;
  }

  private String place() {
    return RecordKeys.place(anyContext);
  }

  @Override
  public void close() {} // the store closes itself
}
