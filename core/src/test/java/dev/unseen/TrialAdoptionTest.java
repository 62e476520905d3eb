package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.audit.AuditReport;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jol.info.GraphLayout;

/**
 * What trial adoptions of the library hit, by their numbers; number 5 is {@code AuditCoverageTest}.
 */
final class TrialAdoptionTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long NOW = Instant.parse("2026-11-16T12:00:00Z").toEpochMilli();

  @TempDir private Path dir;
  private final AtomicLong time = new AtomicLong(NOW);
  private final InstantSource clock = () -> Instant.ofEpochMilli(time.get());
  private final List<Alarm> alarms = new ArrayList<>();

  private record Event(String id, long at) {}

  // ---- 1: tickets and reservations

  private static DeduplicatorBuilder<Long> small() {
    return Deduplicator.builder(Keys.longs()).seed(0).memory(KiB(4)).onAlarm(alarm -> {});
  }

  @Test
  void number_1_settled_tickets_count_measure_and_refresh_as_admit_does() {
    for (Refresh refresh : Refresh.values()) {
      Deduplicator<Long> admits = small().refresh(refresh).audit(oneIn(4)).build();
      Deduplicator<Long> commits = small().refresh(refresh).audit(oneIn(4)).build();
      SplitMix64 random = new SplitMix64(1);
      for (int i = 0; i < 100_000; i++) {
        long key = random.chance(1, 3) ? random.below(100) : random.next();
        Ticket ticket = commits.probe(key);
        boolean admitted = admits.admit(key);
        assertThat(ticket.fresh()).isEqualTo(admitted);
        assertThat(ticket.commit()).isEqualTo(admitted);
      }
      assertThat(commits.report()).isEqualTo(admits.report());
      AuditReport audit = commits.report().audit().orElseThrow();
      assertThat(audit.fnr().trials()).isPositive();
      assertThat(audit.fnr().rate()).isBetween(0.0, 0.99);
    }
  }

  @Test
  void number_1_an_abandoned_probe_changes_nothing_the_clock_included() {
    Deduplicator<Event> dedup =
        Deduplicator.builder(Keys.utf8(Event::id))
            .seed(0)
            .memory(KiB(64))
            .window(Window.time(Duration.ofHours(24)))
            .eventTime(Event::at)
            .clock(clock)
            .build();
    dedup.admit(new Event("a", NOW - 48 * HOUR));
    Report before = dedup.report();
    assertThat(dedup.probe(new Event("a", NOW)).fresh()).as("its window has passed").isTrue();
    assertThat(dedup.probe(new Event("b", NOW)).fresh()).isTrue();
    assertThat(dedup.report()).isEqualTo(before);
    assertThat(dedup.admit(new Event("a", NOW - 47 * HOUR))).as("time did not go on").isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void number_1_a_reserved_key_is_in_flight_until_it_is_settled(ReservationEnd end) {
    Deduplicator<String> orders =
        Deduplicator.builder(Keys.utf8())
            .seed(0)
            .memory(MiB(1))
            .concurrent()
            .ticker(() -> Duration.ofMillis(time.get()).toNanos())
            .build();
    Reservation first = orders.reserve("order 1");
    assertThat(first.status()).isEqualTo(Reservation.Status.GRANTED);
    assertThat(orders.reserve("order 1").status()).isEqualTo(Reservation.Status.IN_FLIGHT);
    assertThat(orders.reserve("order 2").status()).isEqualTo(Reservation.Status.GRANTED);
    assertThat(orders.report().inFlight()).isEqualTo(2);
    assertThat(orders.records()).as("nothing is counted yet").isZero();
    switch (end) {
      case COMMIT -> {
        assertThat(first.commit()).isTrue();
        assertThat(first.commit()).as("once only").isFalse();
        assertThat(orders.reserve("order 1").status()).isEqualTo(Reservation.Status.DUPLICATE);
        assertThat(orders.records()).isEqualTo(2);
        assertThat(orders.admitted()).isEqualTo(1);
      }
      case ROLLBACK -> {
        first.rollback();
        assertThat(first.commit()).as("it is given back").isFalse();
        assertThat(orders.reserve("order 1").status()).isEqualTo(Reservation.Status.GRANTED);
        assertThat(orders.records()).isZero();
      }
      case TIME_OUT -> {
        time.addAndGet(Duration.ofSeconds(61).toMillis());
        assertThat(orders.report().inFlight()).isZero();
        Reservation second = orders.reserve("order 1");
        assertThat(second.status()).isEqualTo(Reservation.Status.GRANTED);
        assertThat(second.commit()).isTrue();
        assertThat(first.commit()).as("another was quicker").isFalse();
      }
    }
  }

  enum ReservationEnd {
    COMMIT,
    ROLLBACK,
    TIME_OUT
  }

  /** Of all threads that want one key, one gets it. */
  @Test
  void number_1_of_many_threads_one_gets_the_key() throws InterruptedException {
    Deduplicator<Integer> dedup =
        Deduplicator.builder(Keys.ints()).seed(0).memory(MiB(1)).concurrent().build();
    AtomicLong granted = new AtomicLong();
    List<Thread> threads =
        IntStream.range(0, 4)
            .mapToObj(
                t ->
                    new Thread(
                        () -> {
                          for (int key = 0; key < 20_000; key++) {
                            try (Reservation reservation = dedup.reserve(key)) {
                              if (reservation.status() == Reservation.Status.GRANTED) {
                                granted.incrementAndGet();
                                reservation.commit();
                              }
                            }
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    // A false positive denies a key to all of them: 2 of 20,000 are expected at the most.
    assertThat(granted.get()).isBetween(19_990L, 20_000L).isEqualTo(dedup.admitted());
  }

  // ---- 2: one bad clock

  private Deduplicator<Event> byDay() {
    return Deduplicator.builder(Keys.utf8(Event::id))
        .seed(0)
        .memory(MiB(1))
        .window(Window.time(Duration.ofHours(24)))
        .eventTime(Event::at)
        .clock(clock)
        .onAlarm(alarms::add)
        .build();
  }

  @Test
  void number_2_one_time_far_in_the_future_does_not_poison_the_window() {
    Deduplicator<Event> good = byDay();
    Deduplicator<Event> bad = byDay();
    for (int i = 0; i < 60_000; i++) {
      if (i == 10_000) {
        bad.admit(new Event("bad clock", Instant.parse("2100-01-01T00:00:00Z").toEpochMilli()));
        bad.admit(new Event("microseconds", NOW * 1000));
      }
      Event event = new Event("e" + i % 30_000, NOW - HOUR + i);
      assertThat(bad.admit(event)).isEqualTo(good.admit(event));
    }
    assertThat(good.admitted()).isEqualTo(30_000);
    assertThat(bad.report().rejectedTimes()).isEqualTo(2);
    assertThat(alarms).extracting(Alarm::reason).containsExactly(Alarm.Reason.REJECTED_TIMES);
    assertThat(alarms.get(0).message()).contains("2 of").contains("too far in the future");
  }

  @Test
  void number_2_late_times_are_counted_and_the_limits_can_be_set() {
    Deduplicator<Event> dedup = byDay();
    dedup.admit(new Event("a", NOW));
    dedup.admit(new Event("b", NOW - 20 * HOUR));
    assertThat(dedup.admit(new Event("b", NOW - 21 * HOUR))).as("late, and checked").isFalse();
    assertThat(dedup.admit(new Event("a", NOW - 24 * HOUR))).as("a window before").isTrue();
    assertThat(dedup.report().lateTimes()).isZero();
    assertThat(dedup.admit(new Event("c", NOW - 60 * HOUR))).isTrue();
    assertThat(dedup.admit(new Event("c", NOW - 60 * HOUR))).as("too late to check").isTrue();
    assertThat(dedup.report().lateTimes()).isEqualTo(2);
    Deduplicator<Event> replay =
        Deduplicator.builder(Keys.utf8(Event::id))
            .seed(0)
            .memory(MiB(1))
            .window(Window.time(Duration.ofHours(24)))
            .eventTime(Event::at)
            .maxTimeJump(Duration.ofDays(2))
            .build();
    replay.admit(new Event("a", 0));
    replay.admit(new Event("b", Duration.ofDays(365).toMillis()));
    assertThat(replay.report().rejectedTimes()).isEqualTo(1);
    assertThat(replay.admit(new Event("a", HOUR))).as("the window is where it was").isFalse();
  }

  @Test
  void number_2_counts_of_times_survive_a_restart() throws IOException {
    Deduplicator<Event> dedup = byDay();
    dedup.admit(new Event("a", NOW));
    dedup.admit(new Event("b", NOW * 1000));
    Path file = dir.resolve("s.uns");
    dedup.save(file);
    Deduplicator<Event> loaded =
        Deduplicator.builder(Keys.utf8(Event::id)).eventTime(Event::at).load(file);
    assertThat(loaded.report().rejectedTimes()).isEqualTo(1);
  }

  /** Until a time is believed, the filter is as one that was never told any. */
  @Test
  void number_2_a_bad_clock_at_the_very_first_record_moves_nothing() throws IOException {
    Gate gate =
        Gate.builder()
            .seed(0)
            .memory(KiB(1))
            .window(Window.time(Duration.ofHours(24)))
            .eventTime()
            .clock(clock)
            .build();
    DuplicateFilter untold = Filters.create(gate.spec());
    assertThat(gate.admit(7, NOW * 1000)).isTrue();
    assertThat(gate.admit(7, NOW * 1000)).as("it cannot be checked").isTrue();
    assertThat(bytes(gate.filter())).isEqualTo(bytes(untold));
  }

  private static byte[] bytes(DuplicateFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Snapshot.of(filter, 1, 1).withSavedAt(0).write(out);
    return out.toByteArray();
  }

  // ---- 3: options and states

  private DeduplicatorBuilder<String> options() {
    return Deduplicator.builder(Keys.utf8());
  }

  @Test
  void number_3_an_option_that_differs_from_the_state_is_rejected_by_its_name() throws IOException {
    Path file = dir.resolve("s.uns");
    options().memory(KiB(64)).seed(1).build().save(file);
    assertThat(options().load(file).spec().memoryBytes()).isEqualTo(KiB(64));
    assertThat(options().seed(1).maxFalsePositiveRate(1e-4).load(file)).isNotNull();
    rejected(options().seed(2), file, "seed: 1 and 2");
    rejected(options().memory(KiB(32)), file, "memory: 65,536 and 32,768 bytes");
    rejected(options().kind(FilterKind.BLOOM), file, "kind: recency and bloom");
    rejected(options().maxFalsePositiveRate(1e-6), file, "maxFalsePositiveRate: ");
    rejected(options().refresh(Refresh.NEVER), file, "refresh: adaptive and never");
    rejected(options().window(Window.records(1000)), file, "window: none and ");
    rejected(options().hash(HashKind.SIPHASH), file, "hash: xxh3 and siphash");
    rejected(options().audit(oneIn(8)), file, "audit: none and ");
    rejected(options().concurrent(), file, "concurrent: ");
    rejected(options().set(Option.REFRESH, Refresh.ALWAYS), file, "refresh: ");
  }

  private static void rejected(DeduplicatorBuilder<?> builder, Path file, String name) {
    assertThatThrownBy(() -> builder.load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the options differ from those that the state was saved with")
        .hasMessageContaining(name);
  }

  @Test
  void number_3_a_state_remembers_the_key_and_the_kind_of_time() throws IOException {
    Path file = dir.resolve("s.uns");
    options().memory(KiB(64)).build().save(file);
    assertThatThrownBy(() -> Deduplicator.builder(Keys.longs()).load(file))
        .hasMessageContaining("key: keys of bytes and keys of number");
    assertThat(Deduplicator.builder(Keys.bytes()).load(file)).as("equal to text").isNotNull();
    Key<String> orders = Keys.named("order-id", Keys.utf8());
    Deduplicator.builder(orders).memory(KiB(64)).build().save(file);
    assertThat(Deduplicator.load(orders, file)).isNotNull();
    assertThatThrownBy(() -> Deduplicator.load(Keys.named("user", Keys.utf8()), file))
        .hasMessageContaining("key: 'order-id' (bytes) and 'user' (bytes)");
    byDay().save(file);
    assertThatThrownBy(() -> Deduplicator.load(Keys.utf8(Event::id), file))
        .hasMessageContaining("eventTime: the records' own times and times of arrival");
  }

  @Test
  void number_3_load_or_build_does_what_a_service_needs_at_its_start() throws IOException {
    Path file = dir.resolve("s.uns");
    for (int start = 0; start < 3; start++) {
      Deduplicator<String> dedup = options().memory(KiB(64)).loadOrBuild(file);
      assertThat(dedup.admit("a")).isEqualTo(start == 0);
      dedup.save(file);
    }
  }

  // ---- 4: the secret

  @Test
  void number_4_the_secret_is_drawn_kept_by_the_state_and_never_shown() throws IOException {
    Path file = dir.resolve("s.uns");
    for (HashKind hash : HashKind.values()) {
      Deduplicator<String> one = options().memory(KiB(64)).hash(hash).build();
      Deduplicator<String> two = options().memory(KiB(64)).hash(hash).build();
      Secret secret = one.spec().secret().orElseThrow();
      assertThat(two.spec().secret().orElseThrow()).isNotEqualTo(secret);
      one.admit("a");
      one.save(file);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      Deduplicator<String> loaded = options().load(file);
      assertThat(loaded.mightContain("a")).isTrue();
      assertThat(loaded.spec()).isEqualTo(one.spec());
      assertThatThrownBy(() -> options().seed(7).load(file))
          .hasMessageContaining("(secret: " + secret.fingerprint() + " and none)");
      assertThatThrownBy(() -> one.merge(two))
          .hasMessageContaining("differ in secret: " + secret.fingerprint() + " and ");
      for (Object shown : new Object[] {one, one.spec(), one.report(), one.gate(), secret}) {
        assertThat(shown.toString())
            .doesNotContain(secret.digits().substring(0, 16))
            .doesNotContain(secret.digits().substring(16))
            .doesNotContain(Long.toString(one.spec().seed()));
      }
    }
  }

  @Test
  void number_4_gates_of_one_secret_agree_and_merge() {
    Secret secret = Secret.parse("00112233445566778899aabbccddeeff\n");
    assertThat(Secret.parse(secret.digits())).isEqualTo(secret);
    Deduplicator<String> one = options().memory(KiB(64)).secret(secret).build();
    Deduplicator<String> two = options().memory(KiB(64)).secret(secret).build();
    one.admit("a");
    two.admit("b");
    one.merge(two);
    assertThat(one.mightContain("a") && one.mightContain("b")).isTrue();
    assertThat(one.mightContain("c")).isFalse();
  }

  @Test
  void number_4_a_secret_that_is_none_is_rejected_and_not_shown() {
    assertThatThrownBy(() -> Secret.parse("my password"))
        .hasMessageContaining("32 hexadecimal digits")
        .hasMessageContaining("openssl rand -hex 16")
        .hasMessageNotContaining("password");
    assertThatThrownBy(() -> options().memory(KiB(64)).secret(Secret.random()).seed(4).build())
        .hasMessageContaining("seed (4)")
        .hasMessageContaining("leave one of them out");
  }

  // ---- 6: alarms

  @ParameterizedTest
  @EnumSource(names = {"BLOOM", "RLBSBF", "BSBF", "SBF", "RSBF", "SAMPLED"})
  void number_6_every_kind_raises_an_alarm_when_it_loses_records(FilterKind kind) {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .kind(kind)
            .memory(KiB(1))
            .onAlarm(alarms::add)
            .build();
    LongStream.range(0, 100_000).forEach(dedup::admit);
    assertThat(alarms).extracting(Alarm::reason).contains(Alarm.Reason.FALSE_POSITIVES);
  }

  @Test
  void number_6_forgetting_within_the_window_raises_an_alarm() {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .memory(KiB(1))
            .window(Window.records(1_000_000))
            .onAlarm(alarms::add)
            .build();
    LongStream.range(0, 100_000).forEach(dedup::admit);
    assertThat(alarms).extracting(Alarm::reason).containsExactly(Alarm.Reason.FORGETTING);
    assertThat(alarms.get(0).message())
        .contains(" of the window; duplicates of evicted keys pass as new");
    alarms.clear();
    Deduplicator<Long> noWindow =
        Deduplicator.builder(Keys.longs()).seed(0).memory(KiB(1)).onAlarm(alarms::add).build();
    LongStream.range(0, 100_000).forEach(noWindow::admit);
    assertThat(alarms).extracting(Alarm::reason).containsExactly(Alarm.Reason.FORGETTING);
    assertThat(alarms.get(0).message()).contains("keys, and ").contains(" fit: it has evicted ");
  }

  @Test
  void number_6_an_action_that_throws_loses_no_record() {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs())
            .seed(0)
            .kind(FilterKind.BLOOM)
            .memory(KiB(1))
            .onAlarm(
                alarm -> {
                  throw new IllegalStateException("the pager is down");
                })
            .build();
    LongStream.range(0, 10_000).forEach(dedup::admit);
    assertThat(dedup.records()).isEqualTo(10_000);
  }

  // ---- 7: words, and the fixed cost

  @Test
  void number_7_a_closed_state_file_rejects_to_save() throws IOException {
    Deduplicator<String> dedup = options().memory(KiB(64)).build();
    StateFile file = StateFile.open(dir.resolve("s.uns"));
    file.close();
    assertThatThrownBy(() -> file.save(dedup.snapshot(Map.of())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThat(dir.resolve("s.uns")).doesNotExist();
  }

  private record Order(Integer number, String secret) {}

  @Test
  void number_7_messages_are_clear() {
    Deduplicator<Order> orders =
        Deduplicator.builder(Keys.ints(Order::number)).seed(0).memory(KiB(64)).build();
    assertThatThrownBy(() -> orders.admit(new Order(null, "4711")))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("key is null in a record of")
        .hasMessageNotContaining("4711");
    assertThatThrownBy(() -> Window.records(0)).hasMessageStartingWith("window (0 records) must");
    assertThatThrownBy(() -> Window.time(Duration.ofNanos(5)))
        .hasMessageStartingWith("window (5 ns) must be 8 to");
    assertThatThrownBy(() -> options().memory(KiB(4)).concurrent().build())
        .hasMessageContaining("the number of shards is fixed");
  }

  /** Within a third of what JOL counts; tables that all filters share are not a filter's cost. */
  @Test
  void number_7_the_cost_beside_the_storage_is_told() {
    Deduplicator<String> one = options().memory(MiB(1)).kind(FilterKind.RLBSBF).build();
    Deduplicator<String> many =
        options().memory(MiB(1)).kind(FilterKind.RLBSBF).concurrent().build();
    Deduplicator<String> audited = options().memory(MiB(1)).audit(oneIn(1024)).build();
    GraphLayout shared = GraphLayout.parseInstance(FilterKind.RLBSBF);
    for (Deduplicator<String> dedup : List.of(one, many)) {
      long all =
          GraphLayout.parseInstance(dedup.gate().filter()).subtract(shared).totalSize()
              - dedup.memoryBytes();
      assertThat(dedup.report().overheadBytes()).isCloseTo(all, within(all / 3));
    }
    assertThat(audited.report().overheadBytes()).isBetween(MiB(2), MiB(2) + 5000);
  }

  // ---- 8: what the second engine had drifted to

  @Test
  void number_8_a_snapshot_of_a_concurrent_one_has_its_counts() {
    Deduplicator<Long> dedup = small().memory(MiB(1)).concurrent().build();
    LongStream.range(0, 1000).forEach(i -> dedup.admit(i % 600));
    assertThat(dedup.snapshot(Map.of()).records()).isEqualTo(1000);
    assertThat(dedup.snapshot(Map.of()).admitted()).isEqualTo(600);
  }

  @Test
  void number_8_batches_with_times_hash_once_and_answer_as_one_by_one() {
    for (boolean concurrent : new boolean[] {false, true}) {
      AtomicLong hashed = new AtomicLong();
      Key<Event> counting =
          (event, hash) -> {
            hashed.incrementAndGet();
            return hash.hash(event.id());
          };
      List<Deduplicator<Event>> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        DeduplicatorBuilder<Event> builder =
            Deduplicator.builder(counting)
                .seed(0)
                .memory(KiB(64))
                .window(Window.time(Duration.ofSeconds(10)))
                .eventTime(Event::at)
                .audit(oneIn(2))
                .onAlarm(alarm -> {});
        both.add(concurrent ? builder.concurrent().build() : builder.build());
      }
      SplitMix64 random = new SplitMix64(3);
      List<Event> batch = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        long late = random.chance(1, 10) ? random.below(5000) : 0;
        batch.add(new Event("e" + random.below(3000), NOW - HOUR + 3L * i - late));
      }
      List<Event> oneByOne = batch.stream().filter(both.get(0)::admit).toList();
      hashed.set(0);
      assertThat(both.get(1).admitAll(batch)).isEqualTo(oneByOne);
      assertThat(hashed).hasValue(20_000);
      assertThat(both.get(1).report()).isEqualTo(both.get(0).report());
      assertThat(oneByOne.size()).isBetween(5_000, 15_000);
    }
  }
}
