package dev.unseen.kafka;

import java.util.Map;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Builds the stores of a deduplication. What they hold is always logged, and never cached.
 *
 * @param name the name of the stores
 * @param logConfig the configuration of a new changelog topic
 */
record GateStoreBuilder(String name, StoreSetup setup, Map<String, String> logConfig)
    implements StoreBuilder<GateStore> {
  @Override
  public GateStore build() {
    return new GateStore(name, setup, logConfig);
  }

  @Override
  public boolean loggingEnabled() {
    return true;
  }

  @Override
  public StoreBuilder<GateStore> withLoggingEnabled(Map<String, String> config) {
    return new GateStoreBuilder(name, setup, config);
  }

  @Override
  public StoreBuilder<GateStore> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<GateStore> withCachingEnabled() {
    throw new UnsupportedOperationException("a filter has nothing to cache");
  }

  @Override
  public StoreBuilder<GateStore> withLoggingDisabled() {
    throw new UnsupportedOperationException("a filter is restored from its changelog");
  }
}
