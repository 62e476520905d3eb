package dev.unseen.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.server.TestServer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.bloom.BFReserveParams;
import redis.clients.jedis.params.SetParams;

class JedisTest {
  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void jedis_works(RedisProtocol protocol) throws Exception {
    try (TestServer server = new TestServer();
        UnifiedJedis jedis =
            RedisClient.builder()
                .hostAndPort(new HostAndPort("127.0.0.1", server.port()))
                .clientConfig(
                    DefaultJedisClientConfig.builder().protocol(protocol).clientName("me").build())
                .build()) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      assertThat(jedis.bfReserve("f", 0.001, 1000)).isEqualTo("OK");
      assertThat(jedis.bfReserve("n", 0.001, 1000, BFReserveParams.reserveParams().nonScaling()))
          .isEqualTo("OK");
      assertThat(jedis.bfAdd("f", "a")).isTrue();
      assertThat(jedis.bfAdd("f", "a")).isFalse();
      assertThat(jedis.bfAdd("n", "a")).isTrue();
      assertThat(jedis.bfMAdd("f", "a", "b")).isEqualTo(List.of(false, true));
      assertThat(jedis.bfInsert("f", "b", "c")).isEqualTo(List.of(false, true));
      assertThat(jedis.bfExists("f", "c")).isTrue();
      assertThat(jedis.bfMExists("f", "c", "d")).isEqualTo(List.of(true, false));
      assertThat(jedis.bfCard("f")).isEqualTo(3);
      assertThat(jedis.bfInfo("f"))
          .containsEntry("Capacity", 1000L)
          .containsEntry("Number of items inserted", 3L);
      SetParams once = SetParams.setParams().nx().ex(86400);
      assertThat(jedis.set("event:1", "1", once)).isEqualTo("OK");
      assertThat(jedis.set("event:1", "1", once)).isNull();
      assertThat(jedis.del("event:1")).isEqualTo(1);
      assertThat(jedis.keys("*")).containsExactlyInAnyOrder("f", "n");
      try (Pipeline pipeline = (Pipeline) jedis.pipelined()) {
        Response<Boolean> first = pipeline.bfAdd("f", "p");
        Response<Boolean> second = pipeline.bfAdd("f", "p");
        pipeline.sync();
        assertThat(first.get()).isTrue();
        assertThat(second.get()).isFalse();
      }
      try (AbstractTransaction transaction = jedis.multi()) {
        Response<String> first = transaction.set("event:2", "1", once);
        transaction.set("event:2", "1", once);
        transaction.bfAdd("new", "a"); // creates the filter
        assertThat(jedis.exists("event:2")).isFalse();
        assertThat(transaction.exec()).containsExactly("OK", null, true);
        assertThat(first.get()).isEqualTo("OK");
      }
      try (AbstractTransaction transaction = jedis.multi()) {
        transaction.set("event:3", "1", once);
        assertThat(transaction.discard()).isEqualTo("OK");
      }
      try (AbstractTransaction transaction = jedis.multi()) {
        transaction.set("event:3", "1", once);
        transaction.incr("counter"); // is not offered
        assertThatThrownBy(transaction::exec).hasMessageContaining("EXECABORT");
      }
      assertThat(jedis.exists("event:3")).isFalse();
      assertThat(jedis.info()).contains("redis_version");
    }
  }
}
