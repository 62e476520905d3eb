package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionCommandsTest {
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new TestServer();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void what_every_client_says_first() throws IOException {
    try (RawClient client = server.client()) {
      assertThat(client.say("PING")).isEqualTo("+PONG");
      assertThat(client.say("ping hi")).isEqualTo("'hi'");
      assertThat(client.say("ECHO hi")).isEqualTo("'hi'");
      assertThat(client.say("SELECT 0")).isEqualTo("+OK");
      assertThat(client.say("SELECT 1")).startsWith("-ERR DB index is out of range");
      assertThat(client.say("CLIENT SETNAME me")).isEqualTo("+OK");
      assertThat(client.say("CLIENT GETNAME")).isEqualTo("'me'");
      assertThat(client.say("CLIENT SETINFO LIB-NAME x")).isEqualTo("+OK");
      assertThat(client.say("CLIENT ID")).startsWith(":");
      assertThat(client.say("CLIENT LIST")).contains("name=me").contains("lib-name=x");
      assertThat(client.say("CLIENT NONSENSE")).startsWith("-ERR unknown subcommand 'NONSENSE'");
      assertThat(client.say("AUTH x")).startsWith("-ERR AUTH <password> called without any");
      assertThat(client.say("COMMAND COUNT")).startsWith(":");
      assertThat(client.say("COMMAND INFO bf.add nope")).contains("'bf.add', :-3").endsWith("nil]");
      assertThat(client.say("COMMAND DOCS bf.add")).startsWith("['bf.add', ['summary', ");
      assertThat(client.say("CONFIG GET maxmemory*")).startsWith("['maxmemory', ");
      assertThat(client.say("CONFIG GET save")).isEqualTo("['save', '']");
      assertThat(client.say("CONFIG SET save x")).startsWith("-ERR CONFIG SET is not offered");
      assertThat(client.say("MODULE LIST")).contains("'name', 'bf'");
      assertThat(client.say("INFO server")).contains("redis_version:7");
      assertThat(client.say("RESET")).isEqualTo("+RESET");
      assertThat(client.say("QUIT")).isEqualTo("+OK");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void info_has_what_monitoring_tools_read() throws IOException {
    try (RawClient client = server.client()) {
      assertThat(client.say("INFO clients")).contains("\r\nblocked_clients:0\r\n");
      client.say("BF.RESERVE info 0.01 100 MEMORY 64kb");
      assertThat(client.say("INFO memory"))
          .containsPattern("\r\nused_memory_human:\\d+\\.\\d\\d[KMG]\r\n")
          .containsPattern("\r\nmaxmemory_human:\\d+\\.\\d\\d[KMG]\r\n");
    }
    try (TestServer limited = new TestServer("--max-memory", "70M");
        RawClient client = limited.client()) {
      assertThat(client.say("INFO memory"))
          .contains("\r\nused_memory_human:0B\r\n")
          .contains("\r\nmaxmemory_human:70.00M\r\n");
    }
  }

  @Test
  void hello_chooses_the_protocol() throws IOException {
    try (RawClient client = server.client()) {
      assertThat(client.say("HELLO"))
          .startsWith("['server', 'redis', 'version', '7.4.0', 'proto', :2");
      assertThat(client.say("HELLO 3 SETNAME me"))
          .startsWith("%['server', 'redis'")
          .contains("'proto', :3");
      assertThat(client.say("BF.ADD hello a")).isEqualTo("#t");
      assertThat(client.say("CLIENT GETNAME")).isEqualTo("'me'");
      assertThat(client.say("HELLO 4")).isEqualTo("-NOPROTO unsupported protocol version");
      assertThat(client.say("HELLO 2")).startsWith("['server'");
      assertThat(client.say("BF.ADD hello a")).isEqualTo(":0");
    }
  }

  @Test
  void unknown_commands_and_wrong_counts_get_the_errors_of_redis() throws IOException {
    try (RawClient client = server.client()) {
      assertThat(client.say("NOPE a b"))
          .isEqualTo("-ERR unknown command 'NOPE', with args beginning with: 'a' 'b' ");
      assertThat(client.say("BF.ADD x"))
          .isEqualTo("-ERR wrong number of arguments for 'bf.add' command");
      assertThat(client.say("CF.ADD x y"))
          .startsWith("-ERR unknown command 'CF.ADD': a cuckoo filter");
      client.send("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.reply()).isEqualTo("+PONG");
    }
  }

  @Test
  void after_a_protocol_error_the_connection_ends() throws IOException {
    try (RawClient client = server.client()) {
      client.send("*1\r\n$4\r\nPING\r\n*1\r\n!".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.reply()).isEqualTo("+PONG");
      assertThat(client.reply()).isEqualTo("-ERR Protocol error: expected '$', got '!'");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void monitor_shows_all_requests_without_passwords() throws IOException {
    try (RawClient watcher = server.client();
        RawClient client = server.client()) {
      assertThat(watcher.say("MONITOR")).isEqualTo("+OK");
      client.say("AUTH default s3cret");
      client.ask("BF.ADD", "f", "a \"b\"\r\n");
      client.say("BF.EXISTS f x");
      String address = client.say("CLIENT INFO").replaceAll("(?s).* addr=(\\S+) .*", "$1");
      assertThat(watcher.reply())
          .matches("\\+\\d+\\.\\d{6} \\[0 " + address + "] \"AUTH\" \"\\(redacted\\)\" .*");
      assertThat(watcher.reply()).endsWith("] \"BF.ADD\" \"f\" \"a \\\"b\\\"\\x0d\\x0a\"");
      assertThat(watcher.reply()).endsWith("] \"BF.EXISTS\" \"f\" \"x\"");
    }
  }

  @Test
  void info_has_version_memory_rate_and_statistics_of_commands() throws IOException {
    try (RawClient client = server.client()) {
      client.say("BF.ADD stats a");
      client.say("BF.RESERVE stats 0.01 100");
      assertThat(client.say("INFO"))
          .containsPattern("\r\nunseen_version:\\S+\r\n")
          .containsPattern("\r\ninstantaneous_ops_per_sec:\\d+\r\n")
          .containsPattern("\r\ncmdstat_bf\\.add:calls=\\d+,usec=\\d+,usec_per_call=")
          .containsPattern("\r\nerrorstat_ERR:count=\\d+\r\n");
      assertThat(client.say("MEMORY PURGE")).isEqualTo("+OK");
      assertThat(client.say("LATENCY RESET")).matches(":[01]");
      assertThat(client.say("LATENCY LATEST")).startsWith("[");
      assertThat(client.say("LATENCY HISTORY command")).startsWith("[");
      assertThat(client.say("LATENCY DOCTOR")).contains("try LATENCY LATEST");
    }
  }

  @Test
  void each_call_is_counted_once_whether_it_is_batched_queued_or_continued_by_a_worker(
      @TempDir Path directory) throws IOException {
    try (TestServer fresh =
            new TestServer("--dir", directory + "/data", "--backup-dir", directory + "/backups");
        RawClient client = fresh.client()) {
      for (int i = 0; i < 3; i++) { // the first creates the filter
        assertThat(client.say("SET k" + i + " v NX EX 60")).isEqualTo("+OK");
        client.say("BF.ADD f item" + i);
        client.say("UN.ADMIT f item" + i);
      }
      client.say("BF.RESERVE g 0.01 100");
      client.say("BF.RESERVE g 0.01 100"); // fails in the worker
      client.say("BF.RESIZE g CAPACITY 1000");
      client.say("SAVE");
      client.say("BACKUP b");
      client.say("MULTI");
      client.say("BF.EXISTS f item0");
      client.say("BF.MADD h a b");
      client.say("EXEC");
      assertThat(client.say("INFO commandstats"))
          .contains("cmdstat_set:calls=3,")
          .contains("cmdstat_bf.add:calls=3,")
          .contains("cmdstat_un.admit:calls=3,")
          .contains("cmdstat_bf.reserve:calls=2,")
          .contains("cmdstat_bf.resize:calls=1,")
          .contains("cmdstat_save:calls=1,")
          .contains("cmdstat_backup:calls=1,")
          .contains("cmdstat_bf.exists:calls=1,")
          .contains("cmdstat_bf.madd:calls=1,");
      assertThat(client.say("INFO errorstats")).contains("errorstat_ERR:count=1\r\n");
    }
  }

  @Test
  void clients_are_listed_and_killed() throws IOException {
    try (RawClient client = server.client();
        RawClient half = server.client();
        RawClient named = server.client();
        RawClient other = server.client()) {
      assertThat(client.say("CLIENT LIST"))
          .contains(" laddr=127.0.0.1:" + server.port() + " ")
          .contains(" flags=N ", " multi=-1 ", " resp=2 ", " user=default ", " cmd=client ");
      assertThat(half.say("MULTI")).isEqualTo("+OK");
      assertThat(half.say("PING")).isEqualTo("+QUEUED");
      String halfId = half.say("CLIENT ID");
      assertThat(halfId).isEqualTo("+QUEUED");
      assertThat(client.say("CLIENT LIST")).contains(" multi=2 qbuf=");
      String id = named.say("CLIENT ID").substring(1);
      assertThat(client.say("CLIENT KILL ID " + id)).isEqualTo(":1");
      assertThat(named.isClosed()).isTrue();
      String address = other.say("CLIENT INFO").replaceAll("(?s).* addr=(\\S+) .*", "$1");
      assertThat(client.say("CLIENT KILL " + address)).isEqualTo("+OK");
      assertThat(other.isClosed()).isTrue();
      assertThat(client.say("CLIENT KILL 127.0.0.1:1")).isEqualTo("-ERR No such client");
      assertThat(client.say("CLIENT KILL TYPE replica")).isEqualTo(":0");
      assertThat(client.say("CLIENT KILL USER nobody")).isEqualTo(":0");
      assertThat(client.say("CLIENT KILL ID")).isEqualTo("-ERR No such client");
      assertThat(client.say("CLIENT KILL NONSENSE 1")).isEqualTo("-ERR syntax error");
      assertThat(client.say("CLIENT KILL TYPE normal")).isEqualTo(":1"); // not itself
      assertThat(half.isClosed()).isTrue();
      assertThat(client.say("CLIENT KILL TYPE normal SKIPME no")).isEqualTo(":1");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void parts_of_commands_take_no_words_that_they_do_not_know() throws IOException {
    try (RawClient client = server.client()) {
      for (String line : new String[] {"CLIENT GETNAME x", "CLIENT ID x", "COMMAND COUNT x"}) {
        String[] words = line.toLowerCase(Locale.ROOT).split(" ", -1);
        assertThat(client.say(line))
            .isEqualTo(
                "-ERR wrong number of arguments for '%s|%s' command".formatted(words[0], words[1]));
      }
      assertThat(client.say("CONFIG GET"))
          .isEqualTo("-ERR wrong number of arguments for 'config|get' command");
      assertThat(client.say("SLOWLOG GET -2")).startsWith("-ERR count should be greater");
      assertThat(client.say("COMMAND LIST FILTERBY MODULE x")).contains("is not offered");
      String id = client.say("CLIENT ID").substring(1);
      try (RawClient other = server.client()) {
        assertThat(other.say("PING")).isEqualTo("+PONG");
        assertThat(client.say("CLIENT LIST ID " + id))
            .startsWith("'id=" + id + " ")
            .hasLineCount(2);
        assertThat(client.say("CLIENT LIST TYPE replica")).isEqualTo("''");
        assertThat(client.say("CLIENT LIST NONSENSE")).isEqualTo("-ERR syntax error");
      }
    }
  }
}
