package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.files.DurableFile;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Journal;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.StoreException;
import dev.unseen.server.store.StoreLimits;
import dev.unseen.snapshot.StateFile;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurabilityTest {
  @TempDir Path root;

  private Path directory() {
    return root.resolve("data");
  }

  private TestServer start(String... more) throws IOException {
    String[] args = new String[more.length + 2];
    args[0] = "--dir";
    args[1] = directory().toString();
    System.arraycopy(more, 0, args, 2, more.length);
    return new TestServer(args);
  }

  /** Stands for an answer that depends on the time that has passed: 1 to 1000. */
  private static final String UP_TO_1000 = ":1..1000";

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".lock") && !name.equals("lock"))
          .sorted()
          .toList();
    }
  }

  /** Does things, ends the server without a save, and asks a new one. */
  private void crash(List<String> before, List<String> askedAndAnswered) throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      for (String line : before) {
        assertThat(client.say(line)).as(line).doesNotStartWith("-");
      }
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
    if (!askedAndAnswered.isEmpty()) {
      ask(askedAndAnswered);
    }
  }

  private void ask(List<String> askedAndAnswered) throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      for (int i = 0; i < askedAndAnswered.size(); i += 2) {
        String line = askedAndAnswered.get(i);
        String answer = askedAndAnswered.get(i + 1);
        if (answer.equals(UP_TO_1000)) {
          assertThat(Integer.parseInt(client.say(line).substring(1))).as(line).isBetween(1, 1000);
        } else {
          assertThat(client.say(line)).as(line).isEqualTo(answer);
        }
      }
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void filters_that_were_deleted_are_not_built_again() throws IOException {
    crash(
        List.of(
            "BF.RESERVE large 0.001 1000 MEMORY 64mb", "BF.ADD large a", "DEL large", "BF.ADD f a"),
        List.of());
    try (TestServer server = start("--max-memory", "32M");
        RawClient client = server.client()) {
      assertThat(client.say("BF.EXISTS f a")).isEqualTo(":1");
      assertThat(client.say("EXISTS large")).isEqualTo(":0");
      assertThat(client.say("BF.ADD g a")).isEqualTo(":1"); // gets a number of its own
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
    ask(List.of("BF.EXISTS f a", ":1", "BF.EXISTS g a", ":1", "EXISTS large", ":0"));
  }

  @Test
  void a_filter_that_is_deleted_and_comes_again_has_what_came_last() throws IOException {
    crash(
        List.of("BF.ADD f a", "DEL f", "BF.ADD f b", "DEL f", "BF.ADD f c"),
        List.of("BF.EXISTS f a", ":0", "BF.EXISTS f b", ":0", "BF.EXISTS f c", ":1"));
  }

  @Test
  void a_filter_is_in_the_journal_before_others_find_it() {
    List<String> recorded = new ArrayList<>();
    Keyspace keyspace =
        new Keyspace(
            Secret.random(),
            new MemoryBudget(1 << 26, 0),
            StoreLimits.of(10, 1 << 16),
            InstantSource.system());
    keyspace.journal(
        new Journal() {
          @Override
          public void created(ServedFilter filter) {
            recorded.add(
                filter.name() + (keyspace.find(filter.name()) == null ? " first" : " late"));
          }
        });
    FilterDefinition definition =
        new FilterDefinition(0.01, 100, false, 0, Window.NONE, FilterKind.RECENCY, 0, 0, 0);
    keyspace.create("f", definition);
    keyspace.findOrCreate("g", definition);
    assertThat(recorded).containsExactly("f first", "g first");
    long used = keyspace.budget().used();
    assertThatThrownBy(() -> keyspace.create("g", definition))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.EXISTS));
    assertThat(keyspace.budget().used()).isEqualTo(used);
  }

  @Test
  void expiries_of_items_and_changed_ones_of_keys_survive_a_crash() throws IOException {
    crash(
        List.of(
            "BF.ADD f a EX 3600",
            "SET later 1 NX EX 60",
            "EXPIRE later 3600",
            "SET sooner 1 NX EX 3600",
            "EXPIRE sooner 0"),
        List.of(
            "BF.ADD f a EX 3600",
            ":0",
            "BF.ADD f b EX 3600",
            ":1",
            "EXISTS later",
            ":1",
            "EXISTS sooner",
            ":0"));
  }

  @Test
  void a_load_reports_its_progress() throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      assertThat(client.say("BF.ADD g a")).isEqualTo(":1");
    }
    List<String> progress = new ArrayList<>();
    try (Durability durability =
        Durability.open(directory(), Fsync.NEVER, Duration.ofHours(1), 1 << 20)) {
      durability.load(
          new Keyspace(
              durability.secret(Optional.empty()),
              new MemoryBudget(1 << 26, 0),
              StoreLimits.of(10, 1 << 16),
              InstantSource.system()),
          Optional.empty(),
          false,
          progress::add);
    }
    assertThat(progress)
        .contains("loading filters: 0 of 2", "loading filters: 1 of 2")
        .anyMatch(
            line -> line.matches("replaying the journal, up to journal-\\d+.log, after 0 items"));
  }

  @Test
  void what_an_interrupted_save_has_left_is_deleted() throws IOException {
    crash(List.of("BF.ADD f a"), List.of());
    Files.writeString(directory().resolve("key-gone.uns.new"), "half a state");
    ask(List.of("BF.EXISTS f a", ":1"));
    assertThat(files()).doesNotContain("key-gone.uns.new");
  }

  @Test
  void the_journal_repeats_all_that_happened() throws IOException {
    crash(
        List.of(
            "BF.RESERVE f 0.001 1000 WINDOW 1h",
            "BF.MADD f a b c",
            "BF.RESERVE n 0.001 3 NONSCALING",
            "BF.MADD n a b c",
            "BF.ADD gone a",
            "DEL gone",
            "BF.ADD again a",
            "DEL again",
            "BF.ADD again b",
            "BF.ADD expiring a",
            "EXPIRE expiring 1000",
            "UN.ADMIT f d",
            "SET k 1 NX EX 60",
            "SET deleted 1 NX EX 60",
            "DEL deleted",
            "SET twice 1 NX EX 60",
            "DEL twice",
            "SET twice 1 NX EX 60"),
        List.of(
            "BF.MEXISTS f a b c d e", "[:1, :1, :1, :1, :0]",
            "BF.INFO f EXPANSION", "[:2]",
            "BF.INFO f CAPACITY", "[:1000]",
            "BF.ADD n d", "-ERR non scaling filter is full",
            "EXISTS gone", ":0",
            "BF.MEXISTS again a b", "[:0, :1]",
            "TTL expiring", UP_TO_1000,
            "SET k 1 NX EX 60", "nil",
            "SET deleted 1 NX EX 60", "+OK",
            "SET twice 1 NX EX 60", "nil",
            "KEYS *", "['again', 'expiring', 'f', 'n']"));
    ask(List.of("SET deleted 1 NX EX 60", "nil", "BF.MEXISTS f a e", "[:1, :0]"));
  }

  @Test
  void what_was_saved_and_what_came_after_it_make_the_whole() throws IOException {
    crash(
        List.of(
            "BF.RESERVE large 0.001 2000000", // in shards
            "BF.MADD large a b c",
            "BF.RESERVE small 0.001 100",
            "BF.MADD small a b c",
            "BF.ADD gone a",
            "SET k 1 NX EX 60",
            "SET d 1 NX EX 60",
            "DEL d",
            "SAVE",
            "BF.ADD large d",
            "BF.ADD small d",
            "DEL gone",
            "BF.ADD gone b",
            "SET k2 1 NX EX 60"),
        List.of(
            "BF.MEXISTS large a b c d e", "[:1, :1, :1, :1, :0]",
            "BF.MEXISTS small a b c d e", "[:1, :1, :1, :1, :0]",
            "BF.MEXISTS gone a b", "[:0, :1]",
            "SET k 1 NX EX 60", "nil",
            "SET k2 1 NX EX 60", "nil",
            "SET d 1 NX EX 60", "+OK"));
  }

  @Test
  void a_save_begins_a_new_journal_and_drops_files_of_filters_that_are_gone() throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      client.say("BF.ADD f a");
      client.say("BF.ADD G/ö a");
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      assertThat(files())
          .containsExactly("journal-2.log", "key-%47%2f%c3%b6.uns", "key-f.uns", "secret");
      assertThat(StateFile.check(directory().resolve("key-f.uns")).admitted()).isEqualTo(1);
      Files.writeString(directory().resolve("key-theirs.uns"), "not ours");
      client.say("DEL f");
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      assertThat(files())
          .containsExactly("journal-3.log", "key-%47%2f%c3%b6.uns", "key-theirs.uns", "secret");
      assertThat(client.say("LASTSAVE")).startsWith(":1");
      assertThat(client.say("BGSAVE")).isEqualTo("+Background saving started");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
        .isEqualTo("rwx------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory().resolve("secret"))))
        .isEqualTo("rw-------");
  }

  @Test
  void a_damaged_file_is_set_aside_and_named_and_the_others_are_loaded() throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      client.say("BF.ADD good a");
      client.say("BF.ADD bad a");
    }
    Path bad = directory().resolve("key-bad.uns");
    byte[] bytes = Files.readAllBytes(bad);
    bytes[bytes.length / 2] ^= 1;
    Files.write(bad, bytes);
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString())
          .contains("key-bad.uns is damaged and was set aside as key-bad.uns.damaged; its filter");
      assertThat(client.say("BF.EXISTS good a")).isEqualTo(":1");
      assertThat(client.say("BF.EXISTS bad a")).isEqualTo(":0");
      assertThat(client.say("EXISTS bad")).isEqualTo(":1"); // the journal knows that it is there
    }
    assertThat(Files.readAllBytes(directory().resolve("key-bad.uns.damaged"))).isEqualTo(bytes);
  }

  @Test
  void a_torn_end_of_the_journal_is_reported_and_all_before_it_replayed() throws IOException {
    crash(List.of("BF.RESERVE f 0.001 100", "BF.ADD f a", "BF.ADD f b"), List.of());
    Path journal = directory().resolve("journal-1.log");
    try (FileChannel channel = FileChannel.open(journal, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 3);
    }
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString())
          .contains(
              journal.getFileName()
                  + " ends inside a record, as a crash leaves it; its last 30 bytes");
      assertThat(client.say("BF.MEXISTS f a b")).isEqualTo("[:1, :0]");
    }
  }

  @Test
  void a_directory_belongs_to_one_server() throws IOException {
    try (TestServer server = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another server is using this directory");
      assertThat(server.port()).isPositive();
    }
  }

  @Test
  void a_filter_is_copied_to_another_server_as_its_file(@TempDir Path other) throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      client.say("BF.RESERVE clicks 0.001 1000 WINDOW 1h");
      client.say("BF.ADD clicks a");
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      Files.copy(directory().resolve("key-clicks.uns"), other.resolve("key-copy.uns"));
    }
    try (TestServer server = new TestServer("--dir", other.toString());
        RawClient client = server.client()) {
      assertThat(client.say("BF.MEXISTS clicks a b")).isEqualTo("[:1, :0]");
      assertThat(client.say("BF.INFO clicks CAPACITY")).isEqualTo("[:1000]");
    }
  }

  @Test
  void without_a_directory_saves_are_rejected() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("SAVE"))
          .isEqualTo("-ERR this server saves nothing; start it with --dir DIRECTORY");
    }
  }

  @Test
  void an_invalid_secret_is_reported() throws IOException {
    start().close();
    Files.writeString(directory().resolve("secret"), "short", UTF_8);
    assertThatThrownBy(this::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must be 32 hexadecimal digits");
  }

  @Test
  void a_torn_end_is_not_reported_as_damage_after_a_second_crash() throws IOException {
    crash(List.of("BF.RESERVE f 0.001 100", "BF.ADD f a", "BF.ADD f b"), List.of());
    Path journal = directory().resolve("journal-1.log");
    try (FileChannel channel = FileChannel.open(journal, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 3);
    }
    AtomicInteger files = new AtomicInteger();
    Durability killed =
        Durability.open(
            directory(),
            Fsync.NEVER,
            Duration.ofHours(1),
            1 << 20,
            file -> {
              if (files.getAndIncrement() > 0) {
                throw new IOException("killed before a save could begin");
              }
              return DurableFile.create(file);
            });
    killed.load(
        new Keyspace(
            killed.secret(Optional.empty()),
            new MemoryBudget(1 << 26, 0),
            StoreLimits.of(100, 1 << 16),
            InstantSource.system()));
    killed.close(false);
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString()).doesNotContain("damaged");
      assertThat(client.say("BF.MEXISTS f a b")).isEqualTo("[:1, :0]");
    }
    assertThat(files()).noneMatch(name -> name.contains("damaged"));
  }

  @Test
  void a_disk_that_cannot_force_the_journal_is_left_by_a_save() throws Exception {
    FailingChannel.Disk bad = new FailingChannel.Disk();
    FailingChannel.Disk good = new FailingChannel.Disk();
    List<FailingChannel.Disk> disks = new ArrayList<>(List.of(bad));
    Keyspace keyspace =
        new Keyspace(
            Secret.random(),
            new MemoryBudget(1 << 26, 0),
            StoreLimits.of(100, 1 << 16),
            InstantSource.system());
    try (Durability durability =
        Durability.open(
            directory(),
            Fsync.EVERYSEC,
            Duration.ofHours(1),
            1 << 20,
            file -> (disks.isEmpty() ? good : disks.remove(0)).open(DurableFile.create(file)))) {
      durability.load(keyspace);
      ServedFilter filter =
          keyspace.create(
              "f",
              new FilterDefinition(0.001, 100, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0));
      bad.forces = false; // from now on, and for this file always
      filter.admit(new Item(1), 0, durability.journal());
      durability.journal().commit();
      Patience.await("a new segment")
          .until(() -> Files.exists(directory().resolve("journal-2.log")));
      Patience.await("the end of the failure").until(() -> durability.failure().isEmpty());
      assertThat(directory().resolve("journal-2.log")).exists();
      assertThat(durability.failure()).isEmpty();
    }
  }
}
