package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServedFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the power, a full disk and a failing one leave of a journal. */
class JournalTest {
  private static final Secret SECRET = Secret.random();
  private static final FilterDefinition SMALL =
      new FilterDefinition(0.001, 100, 2, false, 0, Window.NONE, FilterKind.BLOOM, 0);

  @TempDir Path directory;

  private final FailingChannel.Disk disk = new FailingChannel.Disk();

  private static Keyspace empty() {
    return new Keyspace(SECRET, new MemoryBudget(1 << 26), 100, 1 << 16, InstantSource.system());
  }

  private AppendLog log(Fsync fsync) throws IOException {
    return new AppendLog(
        directory,
        1,
        fsync,
        file ->
            disk.open(
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
  }

  private Path segment(long number) {
    return AppendLog.file(directory, number);
  }

  private static void add(ServedFilter filter, AppendLog log, long... items) {
    filter.admitAll(items, items.length, new long[1], log);
    log.commit();
  }

  private static boolean holds(Keyspace keyspace, long item) {
    ServedFilter filter = keyspace.find("f");
    return filter != null && filter.contains(item);
  }

  @Test
  void a_force_that_fails_at_the_end_of_a_segment_is_not_forgotten() throws IOException {
    AppendLog log = log(Fsync.ALWAYS);
    Keyspace keyspace = empty();
    keyspace.journal(log);
    ServedFilter filter = keyspace.create("f", SMALL);
    add(filter, log, 1);
    disk.goodForces = 1; // that of the new segment, which comes first
    assertThatThrownBy(log::rotate).isInstanceOf(IOException.class);
    assertThat(log.isDistrusted()).isTrue();
    assertThat(log.failure()).isNotEmpty();
    assertThatThrownBy(() -> add(filter, log, 2)).isInstanceOf(UncheckedIOException.class);
  }

  /** Writes a filter and ten items, one by one; returns where each of the records ends. */
  private List<Long> write(int items) throws IOException {
    List<Long> ends = new ArrayList<>();
    try (AppendLog log = log(Fsync.NEVER)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      ServedFilter filter = keyspace.create("f", SMALL);
      log.commit();
      ends.add(Files.size(segment(1)));
      for (int i = 0; i < items; i++) {
        add(filter, log, i);
        ends.add(Files.size(segment(1)));
      }
    }
    return ends;
  }

  @Test
  void a_journal_that_is_cut_at_any_byte_keeps_all_whole_records() throws IOException {
    List<Long> ends = write(10);
    byte[] whole = Files.readAllBytes(segment(1));
    for (int cut = 0; cut <= whole.length; cut++) {
      Path torn = Files.write(directory.resolve("torn"), Arrays.copyOf(whole, cut));
      Keyspace keyspace = empty();
      Replay.Found found = new Replay(keyspace).repeat(torn);
      long last = cut < Long.BYTES ? 0 : Long.BYTES;
      int items = -1; // the first record creates the filter
      for (long end : ends) {
        last = end <= cut ? end : last;
        items += end <= cut ? 1 : 0;
      }
      assertThat(found.lostBytes()).as("cut at %d", cut).isEqualTo(cut - last);
      assertThat(found.items()).as("cut at %d", cut).isEqualTo(Math.max(0, items));
      for (int i = 0; i < 10; i++) {
        assertThat(holds(keyspace, i)).as("item %d, cut at %d", i, cut).isEqualTo(i < items);
      }
    }
  }

  @Test
  void a_byte_that_differs_ends_the_journal_before_its_record() throws IOException {
    List<Long> ends = write(3);
    byte[] whole = Files.readAllBytes(segment(1));
    for (int at = 0; at < whole.length; at++) {
      byte[] other = whole.clone();
      other[at] ^= 0x10;
      Path damaged = Files.write(directory.resolve("damaged"), other);
      Replay.Found found = new Replay(empty()).repeat(damaged);
      long last = at < Long.BYTES ? 0 : Long.BYTES;
      for (long end : ends) {
        last = end <= at ? end : last;
      }
      assertThat(found.lostBytes()).as("byte %d", at).isEqualTo(whole.length - last);
    }
  }

  @Test
  void a_full_disk_refuses_and_goes_on_when_there_is_room() throws IOException {
    try (AppendLog log = log(Fsync.ALWAYS)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      ServedFilter filter = keyspace.create("f", SMALL);
      add(filter, log, 1);
      disk.room = 10; // half a record
      assertThatThrownBy(() -> add(filter, log, 2))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("No space left");
      assertThat(log.failure()).contains("No space left");
      assertThatThrownBy(log::rotate).hasMessageContaining("No space left");
      assertThatThrownBy(log::rotate).as("again").hasMessageContaining("No space left");
      disk.room = Long.MAX_VALUE;
      log.tick();
      assertThat(log.failure()).isEmpty();
      add(filter, log, 3);
      assertThat(log.rotate()).isEqualTo(2);
    }
    Keyspace repeated = empty();
    Replay.Found found = new Replay(repeated).repeat(segment(1));
    assertThat(found.lostBytes()).isZero();
    assertThat(List.of(holds(repeated, 1), holds(repeated, 2), holds(repeated, 3)))
        .containsOnly(true);
  }

  @Test
  void after_a_force_that_failed_nothing_is_acknowledged_until_a_new_segment_begins()
      throws IOException {
    try (AppendLog log = log(Fsync.ALWAYS)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      ServedFilter filter = keyspace.create("f", SMALL);
      log.commit();
      disk.forces = false;
      assertThatThrownBy(() -> add(filter, log, 1)).hasMessageContaining("Input/output error");
      disk.forces = true;
      log.tick();
      assertThat(log.failure()).as("the system may have dropped it").contains("Input/output");
      assertThat(log.isDistrusted()).isTrue();
      log.rotate();
      assertThat(log.failure()).isEmpty();
      assertThat(log.isDistrusted()).isFalse();
      add(filter, log, 2);
    }
  }

  @Test
  void threads_share_one_journal() throws Exception {
    int threads = 4;
    int each = 2000;
    try (AppendLog log = log(Fsync.NEVER)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      FilterDefinition large =
          new FilterDefinition(1e-9, 100_000, 2, false, 0, Window.NONE, FilterKind.BLOOM, 0);
      ServedFilter filter = keyspace.create("f", large);
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        long first = (long) t * each;
        all.add(
            new Thread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    add(filter, log, first + i);
                  }
                }));
      }
      all.forEach(Thread::start);
      for (Thread thread : all) {
        thread.join();
      }
    }
    Keyspace repeated = empty();
    Replay.Found found = new Replay(repeated).repeat(segment(1));
    assertThat(found.lostBytes()).isZero();
    assertThat(found.items()).isEqualTo((long) threads * each);
    for (long i = 0; i < (long) threads * each; i++) {
      assertThat(holds(repeated, i)).isTrue();
    }
  }

  @Test
  void a_force_that_succeeds_after_one_that_failed_acknowledges_nothing() throws IOException {
    try (AppendLog log = log(Fsync.ALWAYS)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      ServedFilter filter = keyspace.create("f", SMALL);
      log.commit();
      disk.forces = false;
      assertThatThrownBy(() -> add(filter, log, 1)).hasMessageContaining("Input/output error");
      disk.forces = true; // as Linux, which tells of a failure once
      assertThatThrownBy(() -> add(filter, log, 2))
          .as("a second thread that waited for the first")
          .hasMessageContaining("Input/output error");
      log.rotate();
      add(filter, log, 3);
    }
  }

  @Test
  void a_record_for_which_there_was_no_room_asks_for_a_save() throws IOException {
    try (AppendLog log = log(Fsync.EVERYSEC)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      FilterDefinition large =
          new FilterDefinition(0.001, 2_000_000, 2, false, 0, Window.NONE, FilterKind.BLOOM, 0);
      ServedFilter filter = keyspace.create("f", large);
      log.commit();
      disk.room = 0;
      long[] items = LongStream.range(0, 1_000_000).toArray(); // 8 MB of records
      assertThatThrownBy(
              () -> filter.admitAll(items, items.length, new long[(items.length + 63) / 64], log))
          .hasMessageContaining("No space left");
      disk.room = Long.MAX_VALUE;
      log.tick();
      assertThat(log.isDistrusted()).as("some items are in no file").isTrue();
      assertThat(log.failure()).contains("No space left");
      log.rotate();
      assertThat(log.failure()).isEmpty();
    }
  }
}
