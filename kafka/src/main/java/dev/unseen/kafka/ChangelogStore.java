package dev.unseen.kafka;

import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store that holds nothing. Kafka Streams writes changelogs for its own kinds of stores only, and
 * logs what is put into them: so what is put here goes to the changelog, and nowhere else.
 */
final class ChangelogStore implements KeyValueStore<Bytes, byte[]>, KeyValueBytesStoreSupplier {
  private final String name;
  private final BiConsumer<StateStoreContext, StateStore> register;
  private boolean open;

  /**
   * Creates a store.
   *
   * @param register registers the store that is restored from the changelog
   */
  ChangelogStore(String name, BiConsumer<StateStoreContext, StateStore> register) {
    this.name = name;
    this.register = register;
  }

  @Override
  public String name() {
    return name;
  }

  /** Supplies itself: it is built once. */
  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return this;
  }

  @Override
  public String metricsScope() {
    return "unseen";
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    register.accept(context, root);
    open = true;
  }

  @Override
  public void put(Bytes key, byte[] value) {
    // The layer above logs it.
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    // The layer above logs them.
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    throw new UnsupportedOperationException("the changelog is written with put alone");
  }

  @Override
  public byte[] delete(Bytes key) {
    throw new UnsupportedOperationException("keys expire, and are never deleted");
  }

  @Override
  public byte[] get(Bytes key) {
    throw new UnsupportedOperationException("a filter cannot return what it has seen");
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    throw new UnsupportedOperationException("a filter cannot list what it has seen");
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null);
  }

  @Override
  public long approximateNumEntries() {
    return 0;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  /** Does nothing. Kafka Streams up to 4.2 requires the method. */
  @Override
  @SuppressWarnings("deprecation")
  public void flush() {}

  /** Kafka Streams asks for it at each put. */
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
    open = false;
  }
}
