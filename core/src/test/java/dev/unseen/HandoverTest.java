package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.audit.AuditSpec;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import dev.unseen.testing.TimedStream;
import dev.unseen.testing.TimedStream.Timed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options change without forgetting: the saved filter is consulted until it cannot matter. */
final class HandoverTest {
  private static final long START = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();
  private static final int KEYS = 20_000;

  private final AtomicLong clock = new AtomicLong(START);

  private GateBuilder gate(boolean concurrent) {
    GateBuilder gate =
        Gate.builder()
            .seed(7)
            .maxFalsePositiveRate(1e-6)
            .clock(() -> Instant.ofEpochMilli(clock.get()))
            .onChange(OnChange.GROW);
    return concurrent ? gate.concurrent() : gate;
  }

  private static byte[] saved(Gate gate) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    gate.save(bytes, Map.of());
    return bytes.toByteArray();
  }

  private static Gate reopened(Gate gate, GateBuilder with) throws IOException {
    return with.load(new ByteArrayInputStream(saved(gate)));
  }

  private static long hash(long key) {
    return Mix.mix(key + 1);
  }

  private static int admitted(Gate gate, int from, int to, boolean batch) {
    int count = to - from;
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = hash(from + i);
    }
    if (batch) {
      return gate.admitAll(hashes, 0, count, new long[count / Long.SIZE + 1]);
    }
    int let = 0;
    for (long hash : hashes) {
      let += gate.admit(hash) ? 1 : 0;
    }
    return let;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void grows_without_a_window(boolean concurrent) throws IOException {
    for (boolean batch : new boolean[] {false, true}) {
      Gate small = gate(concurrent).memory(KiB(256)).build();
      assertThat(admitted(small, 0, KEYS, batch)).isEqualTo(KEYS);

      Gate large = reopened(small, gate(concurrent).memory(MiB(1)));
      assertThat(large.records()).isEqualTo(KEYS);
      assertThat(large.report().predecessorBytes()).isPositive().isLessThanOrEqualTo(KiB(256));
      assertThat(large.report().handoverLeft()).hasValue(KEYS);
      assertThat(large.mightContain(hash(3))).isTrue();

      // Half of the keys come again, and are remembered by the new filter, too.
      assertThat(admitted(large, 0, KEYS / 2, batch)).isZero();
      assertThat(admitted(large, KEYS, KEYS + KEYS / 2, batch)).isEqualTo(KEYS / 2);

      // In the middle of the handover the state contains both filters.
      Gate again = reopened(large, gate(concurrent));
      assertThat(again.report()).isEqualTo(large.report());
      assertThat(admitted(again, 0, KEYS, batch)).isZero();
      assertThat(admitted(again, KEYS + KEYS / 2, 2 * KEYS + 1, batch)).isEqualTo(KEYS / 2 + 1);

      // As many new keys as the old filter held: it is dropped, and what was copied stays.
      assertThat(again.report().predecessorBytes()).isZero();
      assertThat(admitted(again, 0, 2 * KEYS, batch)).isZero();
      assertThat(again.records()).isEqualTo(5L * KEYS + KEYS / 2 + 1);
      assertThat(again.admitted()).isEqualTo(2L * KEYS + 1);
      // Keys that were only in the old filter could have been forgotten now.
      assertThat(again.report().estimatedFnr().isKnown()).isFalse();
      assertThat(reopened(again, gate(concurrent)).report()).isEqualTo(again.report());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECENCY", "BLOOM", "SBF", "RLBSBF"})
  void takes_over_from_any_kind(FilterKind kind) throws IOException {
    Gate before = Gate.builder().seed(7).kind(kind).memory(MiB(1)).build();
    admitted(before, 0, 1000, true);
    for (FilterKind next : new FilterKind[] {FilterKind.RECENCY, FilterKind.BLOOM}) {
      Gate after =
          reopened(before, Gate.builder().kind(next).memory(MiB(2)).onChange(OnChange.GROW));
      for (int key = 0; key < 1000; key++) {
        assertThat(before.mightContain(hash(key)) && after.admit(hash(key))).isFalse();
      }
    }
  }

  @Test
  void bloom_never_forgets_so_its_predecessor_stays() throws IOException {
    GateBuilder bloom = gate(false).kind(FilterKind.BLOOM).expectedKeys(1000);
    Gate before = Gate.builder().seed(7).kind(FilterKind.BLOOM).expectedKeys(100).build();
    admitted(before, 0, 100, true);
    Gate after = reopened(before, bloom);
    admitted(after, 100, 900, true);
    assertThat(after.report().handoverLeft()).isEmpty();
    assertThat(after.report().predecessorBytes()).isPositive();
    assertThat(after.report().estimatedFnr().high()).isZero();
    assertThat(admitted(after, 0, 100, true)).isZero();
  }

  /** An exact model decides, while memory, shards and audit change at drawn moments. */
  @Property(tries = 150)
  void agrees_with_an_exact_model_of_event_time(Choices choices) throws IOException {
    TimedStream stream = TimedStream.drawn(choices, START);
    boolean concurrent = choices.draw("concurrent", booleans());
    boolean audited = choices.draw("audited", booleans());
    int every = choices.draw("records between changes", ints(80, 300));
    GateBuilder options =
        Gate.builder()
            .seed(5)
            .maxFalsePositiveRate(1e-6)
            .eventTime()
            .window(Window.time(Duration.ofMillis(stream.window())))
            .maxLateness(Duration.ofMillis(stream.lateness()))
            .refresh(stream.refreshes() ? Refresh.ALWAYS : Refresh.NEVER)
            .clock(InstantSource.fixed(Instant.ofEpochMilli(START + 1_000_000_000)))
            .onChange(OnChange.GROW);
    options = concurrent ? options.concurrent() : options;
    options = audited ? options.audit(AuditSpec.oneIn(2)) : options;
    Gate gate = options.memory(KiB(64)).build();
    int count = 0;
    for (Timed record : stream.records()) {
      if (++count % every == 0) {
        gate = reopened(gate, options.memory(KiB(64 + count % 7)));
      }
      stream.check(record, gate.admit(gate.hash().hash(record.key()), record.millis()));
    }
    assertThat(gate.records()).isEqualTo(count);
  }

  /** With arrival times, windows of any length follow each other. */
  @Property(tries = 100)
  void the_new_window_decides_about_keys_of_the_old_filter(Choices choices) throws IOException {
    boolean concurrent = choices.draw("concurrent", booleans());
    boolean batch = choices.draw("batch", booleans());
    boolean refreshes = choices.draw("refreshes", booleans());
    long before = choices.draw("window before", longs(80, 10_000));
    long after = choices.draw("window after", longs(80, 10_000));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    GateBuilder options =
        gate(concurrent).memory(KiB(64)).refresh(refreshes ? Refresh.ALWAYS : Refresh.NEVER);
    Gate gate = options.window(Window.time(Duration.ofMillis(before))).build();
    long[] seen = new long[50];
    Arrays.fill(seen, Long.MIN_VALUE);
    long window = before;
    for (int i = 0; i < 1000; i++) {
      if (i == 300) {
        gate = reopened(gate, options.window(Window.time(Duration.ofMillis(after))));
        window = after;
      }
      clock.addAndGet(random.below(window / 40 + 1));
      int key = (int) random.below(seen.length);
      long[] fresh = new long[1];
      boolean isFresh =
          batch ? gate.admitAll(new long[] {hash(key)}, 0, 1, fresh) > 0 : gate.admit(hash(key));
      long age = seen[key] == Long.MIN_VALUE ? Long.MAX_VALUE : clock.get() - seen[key];
      long least = Math.min(before, window); // the old filter knows no older keys
      if (age >= window) {
        assertThat(isFresh).as("new key %d of age %d at %d", key, age, i).isTrue();
      } else if (age < least - (window + before) / 8 - 1) {
        assertThat(isFresh).as("duplicate %d of age %d at %d", key, age, i).isFalse();
      }
      if (isFresh || refreshes) {
        seen[key] = clock.get();
      }
    }
    clock.addAndGet(after + 1);
    gate.admit(hash(1));
    assertThat(gate.report().predecessorBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ALWAYS", "NEVER"})
  void windows_of_records_go_on_counting(Refresh refresh) throws IOException {
    GateBuilder options = gate(false).refresh(refresh).window(Window.records(8000));
    Gate gate = options.memory(KiB(256)).build();
    admitted(gate, 0, 5000, true);
    gate = reopened(gate, options.memory(KiB(512)));
    assertThat(gate.report().handoverLeft()).hasValue(8000);
    assertThat(admitted(gate, 4400, 5000, false)).isZero();
    assertThat(admitted(gate, 4000, 4400, false)).isZero();
    assertThat(admitted(gate, 10_000, 12_000, true)).isEqualTo(2000);
    gate = reopened(gate, options.memory(KiB(300)));
    assertThat(admitted(gate, 10_000, 12_000, false)).isZero();
    assertThat(admitted(gate, 0, 1000, true)).isEqualTo(1000);
    assertThat(admitted(gate, 13_000, 14_100, true)).isEqualTo(1100);
    // These were first seen 8,100 records ago, and again 6,500 ago.
    assertThat(admitted(gate, 4000, 4400, true)).isEqualTo(refresh == Refresh.ALWAYS ? 0 : 400);
    admitted(gate, 20_000, 28_000, true);
    assertThat(gate.report().predecessorBytes()).isZero();
  }

  @Test
  void a_window_can_begin_and_end() throws IOException {
    Gate before = gate(false).memory(KiB(256)).build();
    admitted(before, 0, 1000, true);
    clock.addAndGet(500);
    GateBuilder minute = gate(false).memory(KiB(256)).window(Window.time(Duration.ofMinutes(1)));
    Gate timed = reopened(before, minute);
    clock.addAndGet(50_000);
    assertThat(admitted(timed, 0, 500, true)).isZero();
    clock.addAndGet(11_000); // what came again stays for another minute
    assertThat(admitted(timed, 0, 1000, true)).isEqualTo(500);
    assertThat(timed.report().predecessorBytes()).isZero();
  }

  @Test
  void shards_move_with_their_predecessors() throws IOException {
    Gate small = gate(true).memory(KiB(256)).build();
    admitted(small, 0, KEYS, true);
    Gate large = reopened(small, gate(true).memory(MiB(1)));
    admitted(large, KEYS, KEYS + 100, true);
    List<InputStream> shards = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      ByteArrayOutputStream shard = new ByteArrayOutputStream();
      large.saveShard(i, shard);
      shards.add(new ByteArrayInputStream(shard.toByteArray()));
    }
    Gate moved = gate(true).loadShards(shards);
    assertThat(moved.report().predecessorBytes()).isEqualTo(large.report().predecessorBytes());
    assertThat(moved.report().handoverLeft()).hasValue(KEYS - 100);
    assertThat(moved.records()).isEqualTo(large.records());
    assertThat(admitted(moved, 0, KEYS + 100, true)).isZero();
  }

  /** As in a rescaled job, of which only some tasks have ended their handover. */
  @Test
  void shards_with_and_without_a_predecessor_are_joined() throws IOException {
    Gate small = gate(true).memory(KiB(256)).build();
    admitted(small, 0, KEYS, true);
    Gate large = reopened(small, gate(true).memory(MiB(1)));
    clock.addAndGet(1000);
    Gate without = gate(true).memory(MiB(1)).build();
    admitted(without, KEYS, 3 * KEYS, true);
    List<InputStream> shards = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      ByteArrayOutputStream shard = new ByteArrayOutputStream();
      (i < 64 ? large : without).saveShard(i, shard);
      shards.add(new ByteArrayInputStream(shard.toByteArray()));
    }
    Gate joined = gate(true).maxHandover(Duration.ofMillis(1500)).loadShards(shards);
    assertThat(joined.report().predecessorBytes()).isEqualTo(small.report().memoryBytes() / 2);
    for (int i = 0; i < KEYS; i++) {
      boolean known = ShardedFilter.shardOf(hash(i)) < 64;
      assertThat(joined.mightContain(hash(i))).isEqualTo(known);
    }
    clock.addAndGet(1000);
    assertThat(joined.report().predecessorBytes()).as("joining is no new beginning").isZero();
  }

  @Test
  void gates_in_a_handover_can_be_merged() throws IOException {
    for (boolean concurrent : new boolean[] {false, true}) {
      Gate one = gate(concurrent).memory(KiB(256)).build();
      admitted(one, 0, 1000, true);
      Gate other = gate(concurrent).memory(KiB(256)).build();
      admitted(other, 1000, 2000, true);
      Gate grown = reopened(one, gate(concurrent).memory(KiB(512)));
      Gate alsoGrown = reopened(other, gate(concurrent).memory(KiB(512)));
      admitted(alsoGrown, 5000, 5100, true);
      grown.merge(alsoGrown);
      assertThat(admitted(grown, 0, 2000, true)).isZero();
      assertThat(admitted(grown, 5000, 5100, true)).isZero();
      assertThat(grown.report().handoverLeft()).hasValue(1900);

      Gate never = gate(concurrent).memory(KiB(512)).build();
      admitted(never, 6000, 9000, true);
      never.merge(reopened(one, gate(concurrent).memory(KiB(512))));
      assertThat(never.report().handoverLeft()).hasValue(1000);
      assertThat(admitted(never, 0, 1000, true)).isZero();
    }
  }

  @Test
  void the_audit_continues_and_counts_no_error_of_its_own() throws IOException {
    GateBuilder options = gate(true).audit(AuditSpec.oneIn(2));
    Gate gate = options.memory(KiB(256)).build();
    admitted(gate, 0, 5000, true);
    gate = reopened(gate, options.memory(KiB(512)));
    admitted(gate, 0, 10_000, true);
    assertThat(gate.report().audit().orElseThrow().fpr().errors()).isZero();
    assertThat(gate.report().audit().orElseThrow().fnr().errors()).isZero();

    // An audit of other keys starts again, and so do the counts that it is compared with.
    gate = reopened(gate, gate(true).memory(KiB(512)).audit(AuditSpec.oneIn(3)));
    assertThat(gate.records()).isZero();
    admitted(gate, 0, 11_000, true);
    assertThat(gate.admitted()).isEqualTo(1000);
    assertThat(gate.report().audit().orElseThrow().fpr().errors()).isZero();
    assertThat(gate.report().audit().orElseThrow().fnr().errors()).isZero();
  }

  @Test
  void a_handover_can_be_limited() throws IOException {
    Gate small = gate(false).memory(KiB(256)).build();
    admitted(small, 0, 1000, true);
    Gate large = reopened(small, gate(false).memory(MiB(1)).maxHandover(Duration.ofHours(1)));
    clock.addAndGet(Duration.ofMinutes(59).toMillis());
    assertThat(large.report().predecessorBytes()).isPositive();
    clock.addAndGet(Duration.ofMinutes(2).toMillis());
    assertThat(large.report().predecessorBytes()).isZero();
    assertThat(admitted(large, 0, 1000, true)).isEqualTo(1000);
  }

  @Test
  void a_second_change_is_possible_and_a_fifth_has_to_wait() throws IOException {
    Gate gate = gate(false).memory(KiB(256)).build();
    admitted(gate, 0, 100, true);
    for (int i = 1; i <= Snapshot.MAX_PREDECESSORS; i++) {
      gate = reopened(gate, gate(false).memory(KiB(256 + i)));
      assertThat(admitted(gate, i * 10, 100 + i, true)).isEqualTo(1);
    }
    assertThat(gate.report().predecessorBytes()).isGreaterThan(3 * KiB(256));
    byte[] state = saved(gate);
    assertThatThrownBy(() -> gate(false).memory(KiB(300)).load(new ByteArrayInputStream(state)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("predecessors (5) must be at most 4; wait until the oldest of them ends");
  }

  @Test
  void a_change_is_rejected_unless_it_is_allowed() throws IOException {
    Gate gate = Gate.builder().memory(KiB(256)).build();
    byte[] state = saved(gate);
    assertThatThrownBy(() -> Gate.builder().memory(KiB(512)).load(new ByteArrayInputStream(state)))
        .isInstanceOf(DifferentOptionsException.class)
        .hasMessage(
            "the options differ from those that the state was saved with (memory: 262,144 and 524,288 bytes); set the saved values, leave these options out, use another file, or change them without forgetting any key with onChange(GROW)");
    assertThatThrownBy(
            () ->
                Gate.builder()
                    .secret(Secret.random())
                    .onChange(OnChange.GROW)
                    .load(new ByteArrayInputStream(state)))
        .isInstanceOf(DifferentOptionsException.class)
        .hasMessageStartingWith(
            "the options differ from those that the state was saved with (secret: ")
        .hasMessageEndingWith("set the saved values, leave these options out, or use another file");
  }

  @Test
  void clear_and_copies_include_the_predecessor() throws IOException {
    Gate small = gate(false).memory(KiB(256)).build();
    admitted(small, 0, 1000, true);
    Gate large = reopened(small, gate(false).memory(MiB(1)));
    Gate copy = large.copy();
    assertThat(admitted(copy, 0, 1000, true)).isZero();
    large.clear();
    assertThat(large.report().predecessorBytes()).isZero();
    assertThat(admitted(large, 0, 1000, true)).isEqualTo(1000);
  }

  @Test
  void reservations_know_the_predecessor() throws IOException {
    Gate small = gate(true).memory(KiB(256)).build();
    small.admit(hash(1));
    Gate large = reopened(small, gate(true).memory(MiB(1)));
    assertThat(large.reserve(hash(1)).status()).isEqualTo(Reservation.Status.DUPLICATE);
    assertThat(large.probe(hash(1)).fresh()).isFalse();
    assertThat(large.reserve(hash(2)).status()).isEqualTo(Reservation.Status.GRANTED);
  }

  @Property(tries = 20)
  void the_secret_can_change_where_keys_are_available(Choices choices) throws IOException {
    boolean concurrent = choices.draw("concurrent", booleans());
    boolean windowed = choices.draw("windowed", booleans());
    DeduplicatorBuilder<String> options =
        Deduplicator.builder(Keys.utf8())
            .memory(MiB(1))
            .maxFalsePositiveRate(1e-6)
            .clock(() -> Instant.ofEpochMilli(clock.get()))
            .onChange(OnChange.GROW);
    options = concurrent ? options.concurrent() : options;
    options = windowed ? options.window(Window.time(Duration.ofMinutes(1))) : options;
    List<String> keys = IntStream.range(0, 1000).mapToObj(i -> "key " + i).toList();
    List<String> more = IntStream.range(500, 1500).mapToObj(i -> "key " + i).toList();
    Deduplicator<String> before = options.secret(Secret.random()).build();
    assertThat(before.admitAll(keys)).isEqualTo(keys);
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    before.save(state);

    Deduplicator<String> after =
        options.secret(Secret.random()).load(new ByteArrayInputStream(state.toByteArray()));
    assertThat(after.mightContain("key 3")).isTrue();
    assertThat(after.reserve("key 4").status()).isEqualTo(Reservation.Status.DUPLICATE);
    assertThat(after.probe("key 5").fresh()).isFalse();
    assertThat(after.admit("key 6")).isFalse();
    assertThat(after.through(keys.stream())).isEmpty();
    assertThat(after.admitAll(more)).isEqualTo(more.subList(500, 1000));
    assertThat(after.admitAll(more)).isEmpty();
    assertThat(after.records()).isEqualTo(4002);
    assertThat(after.admitted()).isEqualTo(1500);
    if (windowed) {
      clock.addAndGet(70_000);
      assertThat(after.admitAll(more)).isEqualTo(more);
      assertThat(after.report().predecessorBytes()).isZero();
    }
  }
}
