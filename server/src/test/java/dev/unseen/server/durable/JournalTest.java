package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Items;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.StoreLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the power, a full disk and a failing one leave of a journal. */
class JournalTest {
  private static final Secret SECRET = Secret.random();
  private static final FilterDefinition SMALL =
      new FilterDefinition(0.001, 100, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0);

  @TempDir Path directory;

  private final FailingChannel.Disk disk = new FailingChannel.Disk();

  private static Keyspace empty() {
    return new Keyspace(
        SECRET, new MemoryBudget(1 << 26, 0), StoreLimits.of(100, 1 << 16), InstantSource.system());
  }

  private AppendLog log(Fsync fsync) throws IOException {
    return new AppendLog(
        directory,
        new SegmentHeader(1, 1, SECRET.fingerprint()),
        fsync,
        file ->
            disk.open(
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
  }

  private Path segment(long number) {
    return AppendLog.file(directory, number);
  }

  private static void add(ServedFilter filter, AppendLog log, long... items) {
    filter.admitAll(Items.of(items), new long[1], log);
    log.commit();
  }

  private static boolean holds(Keyspace keyspace, long item) {
    ServedFilter filter = keyspace.find("f");
    return filter != null && filter.contains(new Item(item));
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

  private static SegmentReader.Found repeat(Path segment, Keyspace into) throws IOException {
    return new Replay(into, Map.of()).repeat(segment, Optional.of(SECRET));
  }

  @Test
  void a_journal_that_is_cut_at_any_byte_keeps_all_whole_records() throws IOException {
    List<Long> ends = write(10);
    byte[] whole = Files.readAllBytes(segment(1));
    int first = (SegmentHeader.BYTES + ends.get(0).intValue()) / 2; // of two that create the filter
    for (int cut = 0; cut <= whole.length; cut++) {
      Path torn = Files.write(directory.resolve("torn"), Arrays.copyOf(whole, cut));
      Keyspace keyspace = empty();
      SegmentReader.Found found = repeat(torn, keyspace);
      long last = cut < SegmentHeader.BYTES ? 0 : cut < first ? SegmentHeader.BYTES : first;
      int items = -1; // the first record creates the filter
      for (long end : ends) {
        last = end <= cut ? end : last;
        items += end <= cut ? 1 : 0;
      }
      assertThat(found.tornBytes()).as("cut at %d", cut).isEqualTo(cut - last);
      assertThat(found.isDamaged()).as("cut at %d", cut).isFalse();
      for (int i = 0; i < 10; i++) {
        assertThat(holds(keyspace, i)).as("item %d, cut at %d", i, cut).isEqualTo(i < items);
      }
    }
  }

  /** Whichever field it is in: the length, the checksum, the contents, or the header. */
  @Test
  void a_bit_that_differs_loses_only_the_items_of_its_record() throws IOException {
    List<Long> ends = write(4);
    byte[] whole = Files.readAllBytes(segment(1));
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] other = whole.clone();
      other[bit / 8] ^= (byte) (1 << (bit % 8));
      Path damaged = Files.write(directory.resolve("damaged"), other);
      Keyspace keyspace = empty();
      SegmentReader.Found found = repeat(damaged, keyspace);
      for (int i = 0; i < 4; i++) {
        boolean hit = bit / 8 >= ends.get(i) && bit / 8 < ends.get(i + 1);
        assertThat(holds(keyspace, i)).as("item %d, bit %d", i, bit).isEqualTo(!hit);
      }
      boolean lastIsTooLong = bit / 8 >= ends.get(3) && found.tornBytes() > 0;
      assertThat(found.isDamaged()).as("bit %d", bit).isEqualTo(!lastIsTooLong);
    }
  }

  @Test
  void several_damaged_places_are_skipped_and_all_between_them_is_replayed() throws IOException {
    List<Long> ends = write(10);
    byte[] bytes = Files.readAllBytes(segment(1));
    Arrays.fill(bytes, 0, 10, (byte) 7); // the header
    Arrays.fill(bytes, ends.get(2).intValue(), ends.get(4).intValue(), (byte) 0);
    bytes[ends.get(7).intValue() + 3] = 1; // a length of 16 million
    Path damaged = Files.write(directory.resolve("damaged"), bytes);
    Keyspace keyspace = empty();
    SegmentReader.Found found = repeat(damaged, keyspace);
    assertThat(LongStream.range(0, 10).filter(i -> holds(keyspace, i)).toArray())
        .containsExactly(0, 1, 4, 5, 6, 8, 9);
    assertThat(found.damagedPlaces()).isEqualTo(3);
    assertThat(found.damagedAt()).isZero();
    assertThat(found.tornBytes()).isZero();
    assertThat(found.damagedBytes())
        .isEqualTo(SegmentHeader.BYTES + (ends.get(4) - ends.get(2)) + (ends.get(8) - ends.get(7)));
  }

  @Test
  void garbage_at_the_end_is_damage_and_zeros_are_what_a_power_failure_leaves() throws IOException {
    write(3);
    byte[] whole = Files.readAllBytes(segment(1));
    byte[] longer = Arrays.copyOf(whole, whole.length + 5000);
    Path file = directory.resolve("longer");
    assertThat(repeat(Files.write(file, longer), empty()).tornBytes()).isEqualTo(5000);
    Arrays.fill(longer, whole.length, longer.length, (byte) 0xA5);
    SegmentReader.Found found = repeat(Files.write(file, longer), empty());
    assertThat(found.tornBytes()).isZero();
    assertThat(found.damagedBytes()).isEqualTo(5000);
  }

  /** The bytes around the damage are in different buffers of the reader. */
  @Test
  void damage_in_a_journal_of_megabytes_is_skipped() throws IOException {
    int records = 1000;
    long[] hashes = new long[LogRecord.MAX_HASHES];
    FilterDefinition large =
        new FilterDefinition(1e-6, 1_000_000, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0);
    List<Long> ends = new ArrayList<>();
    try (AppendLog log = log(Fsync.NEVER)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      ServedFilter filter = keyspace.create("f", large);
      log.commit();
      for (long r = 0; r < records; r++) {
        ends.add(Files.size(segment(1)));
        for (int i = 0; i < hashes.length; i++) {
          hashes[i] = Mix.mix(r * hashes.length + i);
        }
        filter.admitAll(Items.of(hashes), new long[(hashes.length + 63) / 64], log);
        log.commit();
      }
    }
    try (FileChannel channel = FileChannel.open(segment(1), StandardOpenOption.WRITE)) {
      for (int r : List.of(0, 7, 8, 50)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), ends.get(r) + r);
      }
    }
    Keyspace repeated = empty();
    SegmentReader.Found found = repeat(segment(1), repeated);
    assertThat(found.records()).isEqualTo(2 + records - 4);
    assertThat(found.damagedPlaces()).isEqualTo(3); // 7 and 8 are one
    for (int r = 0; r < records; r++) {
      boolean hit = List.of(0, 7, 8, 50).contains(r);
      assertThat(holds(repeated, Mix.mix((long) r * hashes.length))).as("%d", r).isEqualTo(!hit);
    }
  }

  @Test
  void a_full_disk_rejects_writes_and_resumes_when_there_is_space() throws IOException {
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
    SegmentReader.Found found = repeat(segment(1), repeated);
    assertThat(found.tornBytes() + found.damagedBytes()).isZero();
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
          new FilterDefinition(1e-9, 100_000, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0);
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
    SegmentReader.Found found = repeat(segment(1), repeated);
    assertThat(found.tornBytes() + found.damagedBytes()).isZero();
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
      disk.forces = true; // as Linux, which reports a failure once
      assertThatThrownBy(() -> add(filter, log, 2))
          .as("a second thread that waited for the first")
          .hasMessageContaining("Input/output error");
      log.rotate();
      add(filter, log, 3);
    }
  }

  @Test
  void a_record_that_did_not_fit_requests_a_save() throws IOException {
    try (AppendLog log = log(Fsync.EVERYSEC)) {
      Keyspace keyspace = empty();
      keyspace.journal(log);
      FilterDefinition large =
          new FilterDefinition(0.001, 2_000_000, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0);
      ServedFilter filter = keyspace.create("f", large);
      log.commit();
      disk.room = 0;
      long[] items = LongStream.range(0, 1_000_000).toArray(); // 8 MB of records
      assertThatThrownBy(
              () -> filter.admitAll(Items.of(items), new long[(items.length + 63) / 64], log))
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
