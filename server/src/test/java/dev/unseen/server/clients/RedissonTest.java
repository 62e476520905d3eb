package dev.unseen.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RBatch;
import org.redisson.api.RBloomFilterNative;
import org.redisson.api.RBucketAsync;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

class RedissonTest {
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void redisson_works(Protocol protocol) throws Exception {
    try (TestServer server = new TestServer()) {
      Config config = new Config().setProtocol(protocol);
      config.setThreads(2).setNettyThreads(2);
      config
          .useSingleServer()
          .setAddress("redis://127.0.0.1:" + server.port())
          .setConnectionMinimumIdleSize(1)
          .setConnectionPoolSize(2);
      RedissonClient client = Redisson.create(config);
      try {
        RBloomFilterNative<String> filter = client.getBloomFilterNative("f", StringCodec.INSTANCE);
        filter.init(0.001, 1000);
        assertThat(filter.add("a")).isTrue();
        assertThat(filter.add("a")).isFalse();
        assertThat(filter.exists("a")).isTrue();
        assertThat(filter.count()).isEqualTo(1);
        assertThat(
                client
                    .getBucket("event:1", StringCodec.INSTANCE)
                    .setIfAbsent("1", Duration.ofDays(1)))
            .isTrue();
        assertThat(
                client
                    .getBucket("event:1", StringCodec.INSTANCE)
                    .setIfAbsent("1", Duration.ofDays(1)))
            .isFalse();
        for (ExecutionMode mode : ExecutionMode.values()) {
          RBatch batch = client.createBatch(BatchOptions.defaults().executionMode(mode));
          RBucketAsync<String> key = batch.getBucket("batch:" + mode, StringCodec.INSTANCE);
          RFuture<Boolean> first = key.setIfAbsentAsync("1", Duration.ofDays(1));
          RFuture<Boolean> second = key.setIfAbsentAsync("1", Duration.ofDays(1));
          RFuture<Boolean> item =
              batch
                  .<String>getBloomFilterNative(mode + " filter", StringCodec.INSTANCE)
                  .addAsync("a"); // creates the filter
          assertThat(batch.execute().getResponses()).isEqualTo(List.of(true, false, true));
          assertThat(List.of(first.get(), second.get(), item.get()))
              .containsExactly(true, false, true);
        }
      } finally {
        client.shutdown(0, 1, java.util.concurrent.TimeUnit.SECONDS);
      }
    }
  }
}
