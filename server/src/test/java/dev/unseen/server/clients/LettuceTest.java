package dev.unseen.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.TestServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.BooleanOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LettuceTest {
  private record Name(String text) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static CommandArgs<String, String> item(String item) {
    return new CommandArgs<>(StringCodec.UTF8).addKey("f").addValue(item);
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void lettuce_works(ProtocolVersion version) throws Exception {
    try (TestServer server = new TestServer();
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()))) {
      client.setOptions(ClientOptions.builder().protocolVersion(version).build());
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        RedisCommands<String, String> commands = connection.sync();
        assertThat(commands.ping()).isEqualTo("PONG");
        assertThat(add(commands, "a")).isTrue();
        assertThat(add(commands, "a")).isFalse();
        SetArgs once = SetArgs.Builder.nx().ex(86400);
        assertThat(commands.set("event:1", "1", once)).isEqualTo("OK");
        assertThat(commands.set("event:1", "1", once)).isNull();
        assertThat(commands.exists("event:1", "f")).isEqualTo(2);
        assertThat(commands.multi()).isEqualTo("OK");
        assertThat(commands.set("event:tx", "1", once)).isNull();
        commands.exists("event:tx"); // Lettuce reads no booleans in the reply of EXEC
        assertThat(commands.exec().stream().toList()).containsExactly("OK", 1L);
        commands.multi();
        commands.del("event:tx");
        assertThat(commands.discard()).isEqualTo("OK");
        assertThat(commands.exists("event:tx")).isEqualTo(1);
        List<RedisFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          answers.add(connection.async().set("event:" + i, "1", once));
        }
        long nils = 0;
        for (RedisFuture<String> answer : answers) {
          nils += answer.get() == null ? 1 : 0;
        }
        assertThat(nils).isEqualTo(1);
      }
    }
  }

  private static Boolean add(RedisCommands<String, String> commands, String item) {
    return commands.dispatch(new Name("BF.ADD"), new BooleanOutput<>(StringCodec.UTF8), item(item));
  }
}
