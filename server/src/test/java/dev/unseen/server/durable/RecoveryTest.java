package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.files.DurableFile;
import dev.unseen.hash.Secret;
import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.StoreLimits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does if files of its directory are damaged or missing when it starts. */
class RecoveryTest {
  private static final int ITEMS = 300;
  private static final String[] NONE = {};
  private static final String[] ACCEPTED = {"--accept-data-loss"};

  @TempDir Path root;

  private Path directory() {
    return root.resolve("data");
  }

  private TestServer start(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("--dir", directory().toString(), "--http", "0"));
    args.addAll(List.of(more));
    return new TestServer(args.toArray(String[]::new));
  }

  private static void end(RawClient client) throws IOException {
    client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
    assertThat(client.isClosed()).isTrue();
  }

  /** A filter with items that are saved, and further items and keys of SET in the journal. */
  @BeforeEach
  void fill() throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE b 0.00001 10000")).isEqualTo("+OK");
      for (int i = 0; i < ITEMS; i++) {
        assertThat(client.say("BF.ADD b old" + i)).isEqualTo(":1");
      }
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      for (int i = 0; i < ITEMS; i++) {
        assertThat(client.say("BF.ADD b new" + i)).isEqualTo(":1");
        assertThat(client.say("SET k%d 1 NX EX 3600".formatted(i))).isEqualTo("+OK");
      }
      end(client);
    }
  }

  /** Returns the number of items of the file, of the journal, and of keys that are not there. */
  private static List<Integer> lost(RawClient client) throws IOException {
    int old = 0;
    int fresh = 0;
    int keys = 0;
    for (int i = 0; i < ITEMS; i++) {
      old += client.say("BF.EXISTS b old" + i).equals(":1") ? 0 : 1;
      fresh += client.say("BF.EXISTS b new" + i).equals(":1") ? 0 : 1;
      keys += client.say("EXISTS k" + i).equals(":1") ? 0 : 1;
    }
    return List.of(old, fresh, keys);
  }

  private Path journal() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
    }
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(), java.util.Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private void starts(List<Integer> lost, String... args) throws IOException {
    try (TestServer server = start(args);
        RawClient client = server.client()) {
      assertThat(lost(client)).as(server.server().startupMessages().toString()).isEqualTo(lost);
      end(client);
    }
  }

  private void failsUnlessAccepted(String why, List<Integer> lost) throws IOException {
    Map<String, String> before = contents();
    assertThatThrownBy(() -> start(NONE).close())
        .hasMessageContaining(why)
        .isInstanceOfSatisfying(
            DirectoryException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryException.Reason.INCOMPLETE));
    assertThat(contents()).as("nothing is changed").isEqualTo(before);
    starts(lost, ACCEPTED);
    starts(lost, NONE); // the next time it need not be accepted again
  }

  @Test
  void a_bit_that_differs_in_the_journal_loses_only_its_record_and_a_copy_is_kept()
      throws IOException {
    byte[] bytes = Files.readAllBytes(journal());
    String name = journal().getFileName().toString();
    bytes[bytes.length / 2] ^= 4;
    Files.write(journal(), bytes);
    try (TestServer server = start();
        RawClient client = server.client()) {
      List<Integer> lost = lost(client);
      assertThat(lost.get(0)).isZero();
      assertThat(lost.get(1) + lost.get(2)).isEqualTo(1);
      assertThat(server.server().startupMessages().toString())
          .contains(name + " is damaged: 1 place from offset ")
          .contains("a copy is in " + name + ".damaged");
      assertThat(client.ask("INFO", "persistence"))
          .contains("load_damaged_files:1")
          .containsPattern("load_damaged_bytes:[1-9]");
      end(client);
    }
    assertThat(Files.readAllBytes(directory().resolve(name + ".damaged"))).isEqualTo(bytes);
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files.filter(file -> file.toString().contains(".damaged"))).hasSize(1);
    }
  }

  @Test
  void a_directory_without_damage_reports_none() throws IOException {
    try (TestServer server = start();
        RawClient client = server.client()) {
      assertThat(lost(client)).isEqualTo(List.of(0, 0, 0));
      assertThat(client.ask("INFO", "persistence"))
          .contains("load_damaged_files:0")
          .contains("load_damaged_bytes:0");
      end(client);
    }
  }

  @Test
  void a_journal_that_is_missing_fails_the_startup() throws IOException {
    String name = journal().getFileName().toString();
    Files.delete(journal());
    failsUnlessAccepted(name + " is missing", List.of(0, ITEMS, ITEMS));
  }

  @Test
  void a_journal_that_is_empty_fails_the_startup() throws IOException {
    String name = journal().getFileName().toString();
    Files.write(journal(), new byte[0]);
    failsUnlessAccepted(name + " is missing or empty", List.of(0, ITEMS, ITEMS));
  }

  @Test
  void a_filter_that_the_journal_refers_to_and_that_is_missing_fails_the_startup()
      throws IOException {
    Files.delete(directory().resolve("key-b.uns"));
    failsUnlessAccepted("key-b.uns is missing", List.of(ITEMS, 0, 0));
  }

  @Test
  void a_secret_that_is_missing_fails_the_startup() throws IOException {
    Files.delete(directory().resolve("secret"));
    failsUnlessAccepted("the file secret is missing", List.of(0, 0, ITEMS));
  }

  @Test
  void another_secret_fails_the_startup() throws IOException {
    Files.writeString(directory().resolve("secret"), Secret.random().digits() + "\n", US_ASCII);
    failsUnlessAccepted("are hashed with another secret", List.of(0, 0, ITEMS));
  }

  @Test
  void another_secret_fails_the_startup_if_all_is_saved() throws IOException {
    start().close();
    Files.delete(directory().resolve("secret"));
    failsUnlessAccepted(
        "the keys in set-3600000.uns are hashed with another secret", List.of(0, 0, ITEMS));
  }

  @Test
  void what_was_missing_is_loaded_when_it_is_restored() throws IOException {
    byte[] secret = Files.readAllBytes(directory().resolve("secret"));
    byte[] bad = Files.readAllBytes(directory().resolve("key-b.uns"));
    Files.delete(directory().resolve("secret"));
    assertThatThrownBy(() -> start(NONE).close()).isInstanceOf(IOException.class);
    Files.write(directory().resolve("secret"), secret);
    Files.delete(directory().resolve("key-b.uns"));
    assertThatThrownBy(() -> start(NONE).close()).isInstanceOf(IOException.class);
    Files.write(directory().resolve("key-b.uns"), bad);
    starts(List.of(0, 0, 0), NONE);
  }

  @Test
  void a_directory_in_which_nothing_was_ever_saved_misses_its_journal_too() throws IOException {
    Path other = Files.createDirectory(root.resolve("other"));
    try (TestServer server = new TestServer("--dir", other.toString());
        RawClient client = server.client()) {
      assertThat(client.say("SET a 1 NX EX 60")).isEqualTo("+OK");
      end(client);
    }
    Files.delete(other.resolve("journal-1.log"));
    assertThatThrownBy(() -> new TestServer("--dir", other.toString()).close())
        .hasMessageContaining("the journal is missing, though the directory was in use");
  }

  @Test
  void a_segment_that_was_just_being_created_is_not_missed() throws IOException {
    String last = journal().getFileName().toString().replaceAll("\\D", "");
    Path half = directory().resolve("journal-%d.log".formatted(Long.parseLong(last) + 1));
    Files.write(half, new byte[7]);
    starts(List.of(0, 0, 0), NONE);
  }

  /** Starts and crashes, so that the journal has one more segment, with nothing saved. */
  private void startAndCrash() throws IOException {
    AtomicInteger created = new AtomicInteger();
    Durability killed =
        Durability.open(
            directory(),
            Fsync.NEVER,
            Duration.ofHours(1),
            1 << 20,
            file -> {
              if (created.getAndIncrement() > 0) {
                throw new IOException("killed before a save could begin");
              }
              return DurableFile.create(file);
            });
    killed.load(
        new Keyspace(
            killed.secret(Optional.empty()),
            new MemoryBudget(1 << 26, 0),
            StoreLimits.of(100, 1 << 20),
            InstantSource.system()));
    killed.close(false);
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  @Test
  void any_segment_that_is_missing_fails_the_startup() throws IOException {
    startAndCrash();
    startAndCrash();
    List<Path> segments = segments();
    assertThat(segments).hasSize(3);
    for (Path segment : segments) {
      byte[] bytes = Files.readAllBytes(segment);
      Files.delete(segment);
      assertThatThrownBy(() -> start(NONE).close())
          .hasMessageContaining(segment.getFileName() + " is missing");
      Files.write(segment, bytes);
    }
    starts(List.of(0, 0, 0), NONE);
  }

  @Test
  void damage_in_a_segment_that_is_not_the_last_loses_only_its_record() throws IOException {
    startAndCrash();
    Path first = segments().get(0);
    byte[] bytes = Files.readAllBytes(first);
    bytes[bytes.length / 2] ^= 4;
    Files.write(first, bytes);
    startAndCrash(); // finds the damage, and saves nothing
    try (TestServer server = start();
        RawClient client = server.client()) {
      List<Integer> lost = lost(client);
      assertThat(lost.get(0)).isZero();
      assertThat(lost.get(1) + lost.get(2)).isEqualTo(1);
      end(client);
    }
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files.filter(file -> file.toString().contains(".damaged"))).hasSize(1);
    }
  }

  @Test
  void a_segment_that_is_cut_and_not_the_last_is_damaged_and_a_copy_is_kept() throws IOException {
    startAndCrash();
    Path first = segments().get(0);
    try (FileChannel channel = FileChannel.open(first, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 10); // in the record that links it to the next
    }
    byte[] bytes = Files.readAllBytes(first);
    starts(List.of(0, 0, 0), NONE);
    assertThat(Files.readAllBytes(directory().resolve(first.getFileName() + ".damaged")))
        .isEqualTo(bytes);
  }

  @Test
  void a_file_that_a_person_adds_is_loaded_with_a_number_of_its_own() throws IOException {
    Path other = root.resolve("other");
    try (TestServer server = new TestServer("--dir", other.toString());
        RawClient client = server.client()) {
      assertThat(client.say("BF.ADD a theirs")).isEqualTo(":1");
    }
    Files.copy(other.resolve("key-a.uns"), directory().resolve("key-a.uns"));
    for (int round = 0; round < 2; round++) {
      try (TestServer server = start();
          RawClient client = server.client()) {
        assertThat(lost(client)).isEqualTo(List.of(0, 0, 0));
        assertThat(client.say("BF.EXISTS a theirs")).isEqualTo(":1");
        assertThat(client.say("BF.ADD a ours")).isEqualTo(round == 0 ? ":1" : ":0");
        end(client);
      }
    }
  }

  @Test
  void a_journal_of_a_newer_format_is_rejected_and_stays_as_it_is() throws IOException {
    startAndCrash();
    Path last = segments().get(segments().size() - 1);
    byte[] bytes = Files.readAllBytes(last);
    bytes[4] = '9'; // the format
    bytes[10] ^= 1; // the rest of the header differs, too, so that no damage explains it
    Files.write(last, bytes);
    assertThatThrownBy(() -> start(NONE).close())
        .isInstanceOfSatisfying(
            DirectoryException.class,
            e -> assertThat(e.reason()).isEqualTo(DirectoryException.Reason.UNKNOWN_FORMAT))
        .hasMessageContaining(last.getFileName().toString())
        .hasMessageContaining("format '9', and this version reads the format 1");
    assertThat(Files.readAllBytes(last)).isEqualTo(bytes);
    bytes[10] ^= 1;
    Files.write(last, bytes); // only the byte of the format is damaged
    starts(List.of(0, 0, 0), NONE);
  }
}
