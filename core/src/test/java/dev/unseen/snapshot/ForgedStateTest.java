package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.Report;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.clock.ClockState;
import dev.unseen.clock.ClockState.Basis;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A state that somebody has altered, with right checksums, is refused, or it is a filter for ever:
 * it takes in records, reports, is saved, loaded and merged, all in bounded time.
 *
 * <p>A build tries some hundred. The long run, whose result is in docs/reliability.md, is
 *
 * <pre>
 * mvn -pl core -am test -Dtest=ForgedStateTest -Dforged.states=20000 -Dforged.admits=1000000 -Dforged.csv=forged.csv
 * </pre>
 */
final class ForgedStateTest {
  private static final int STATES = Integer.getInteger("forged.states", 600);
  private static final int ADMITS = Integer.getInteger("forged.admits", 20_000);
  private static final Duration MOST = Duration.ofMinutes(5); // of one state: it does not end

  private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1_000_000);
  private static final int HEAD_PAYLOAD = BlockWriter.FILE_HEADER_BYTES + BlockWriter.HEADER_BYTES;

  private static final long[] EXTREMES = {
    0,
    1,
    -1,
    2,
    63,
    64,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    1L << 60,
    (1L << 60) + 1,
    1L << 32,
    1L << 31,
    Double.doubleToRawLongBits(Double.NaN),
    Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
    Double.doubleToRawLongBits(Double.MIN_VALUE),
    Double.doubleToRawLongBits(1e300),
    Double.doubleToRawLongBits(0.5)
  };

  private static final int MOST_USED = 30_000; // records in the state that has the most

  private static final long[] HASHES = hashes(Math.max(ADMITS, MOST_USED));

  /** A third of the records are of some keys that come again and again, the others are new. */
  private static long[] hashes(int count) {
    SplitMix64 random = new SplitMix64(5);
    return LongStream.generate(
            () -> random.chance(1, 3) ? Mix.mix(random.below(700)) : random.next())
        .limit(count)
        .toArray();
  }

  /** What became of the forged states of one kind. */
  private static final class Tally {
    private int forged;
    private int refused;
    private int lived;
  }

  @Test
  void a_forged_state_is_rejected_or_a_filter_for_ever() throws IOException {
    List<byte[]> states = states();
    Map<String, Tally> tallies = new TreeMap<>();
    for (int i = 0; i < STATES; i++) {
      byte[] state = states.get(i % states.size());
      byte[] forged = forge(state, new SplitMix64(i));
      Tally tally = tallies.computeIfAbsent(nameOf(state), name -> new Tally());
      tally.forged++;
      String name = "%s, forged with seed %d".formatted(nameOf(state), i);
      boolean lived = assertTimeoutPreemptively(MOST, () -> refusedOrAlive(forged, name), name);
      tally.lived += lived ? 1 : 0;
      tally.refused += lived ? 0 : 1;
    }
    int lived = tallies.values().stream().mapToInt(tally -> tally.lived).sum();
    assertThat(lived).as("some changes do no harm").isBetween(STATES / 50, STATES - STATES / 3);
    write(tallies);
  }

  private static String nameOf(byte[] state) throws IOException {
    Snapshot snapshot = Bytes.read(state);
    return snapshot.spec().kind().id()
        + (snapshot.spec().window().isNone() ? "" : " window")
        + (snapshot.spec().memoryBytes() == 64 * 64 ? " " + snapshot.spec().refresh() : "")
        + (snapshot.shards() > 1 ? " shards" : "")
        + (snapshot.audit().isPresent() ? " audit" : "");
  }

  private static void write(Map<String, Tally> tallies) throws IOException {
    String file = System.getProperty("forged.csv");
    if (file == null) {
      return;
    }
    StringBuilder csv = new StringBuilder("state,forged,refused,lived,admits each\n");
    tallies.forEach(
        (name, tally) ->
            csv.append(name)
                .append(',')
                .append(tally.forged)
                .append(',')
                .append(tally.refused)
                .append(',')
                .append(tally.lived)
                .append(',')
                .append(ADMITS)
                .append('\n'));
    Files.writeString(Path.of(file), csv);
  }

  // ---- States

  /** Of each kind: plain, with an audit, in shards, in some shards with an audit; with windows. */
  private static List<byte[]> states() {
    List<byte[]> states = new ArrayList<>();
    for (FilterKind kind : FilterKind.values()) {
      FilterSpec small = spec(kind, 1000 + 8 * kind.wireId(), Window.NONE);
      FilterSpec large = spec(kind, 128 * 80, Window.NONE);
      states.add(used(Snapshot.of(Filters.create(small), 0, 0), 500));
      states.add(used(Snapshot.of(Filters.create(small), 0, 0).with(audit(small)), 900));
      states.add(used(Snapshot.of(ShardedFilter.of(large), 0, 0), 3000));
      ShardedFilter some = ShardedFilter.of(large, new int[] {0, 1, 2, 90});
      states.add(used(Snapshot.of(some, 0, 0).with(audit(large)), 3000));
      if (kind == FilterKind.RECENCY) {
        Window time = Window.time(Duration.ofSeconds(9));
        Window late = time.withLateness(Duration.ofSeconds(20));
        for (Window window : List.of(Window.records(300), time, late)) {
          FilterSpec windowed = spec(kind, 1000, window);
          states.add(used(Snapshot.of(Filters.create(windowed), 0, 0), 700));
          states.add(used(Snapshot.of(Filters.create(windowed), 0, 0).with(audit(windowed)), 700));
        }
        for (Refresh refresh : Refresh.values()) { // with sorted lines if adaptive
          FilterSpec spec = FilterSpec.builder(kind, 64 * 64).seed(7).refresh(refresh).build();
          states.add(used(Snapshot.of(Filters.create(spec), 0, 0), MOST_USED));
        }
      }
    }
    return states;
  }

  private static FilterSpec spec(FilterKind kind, long memory, Window window) {
    FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(7);
    if (kind == FilterKind.RSBF) {
      spec.set(Parameter.THRESHOLD, 0.3);
    }
    return (window.isNone() ? spec : spec.window(window)).build();
  }

  private static Audit audit(FilterSpec spec) {
    return new Audit(AuditSpec.oneIn(2).memory(4096), spec);
  }

  private static byte[] used(Snapshot empty, int records) {
    boolean timed = empty.spec().window().isTime();
    Gate gate = gate(timed ? empty.with(new ClockState(Basis.EVENT, 5000, 1)) : empty);
    admit(gate, hashesFor(gate, records));
    return save(gate, Map.of("offset", "17", "source", "clicks"));
  }

  // ---- Forgery

  /** Changes one to four places, most often numbers, whose meaning a reader has to check. */
  private static byte[] forge(byte[] state, SplitMix64 random) {
    byte[] forged = state.clone();
    ByteBuffer buffer = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    int[] blocks = blocks(buffer);
    for (long i = random.chance(1, 2) ? 0 : random.below(4); i >= 0; i--) {
      int block = blocks[(int) random.below(blocks.length)];
      int begin = block + BlockWriter.HEADER_BYTES;
      int length = buffer.getInt(block + 8);
      if (random.chance(1, 4)) {
        forged[begin + (int) random.below(length)] = (byte) random.next();
      } else if (random.chance(1, 8)) { // fields of the head are of 4 and of 8 bytes
        buffer.putInt(HEAD_PAYLOAD + 4 * (int) random.below(36), (int) number(random));
      } else if (random.chance(1, 4)) { // which leaves most sums as they are
        int one = begin + 8 * (int) random.below(length / 8);
        int other = begin + 8 * (int) random.below(length / 8);
        long kept = buffer.getLong(one);
        buffer.putLong(one, buffer.getLong(other));
        buffer.putLong(other, kept);
      } else {
        int at = begin + 8 * (int) random.below(length / 8);
        long now = buffer.getLong(at);
        buffer.putLong(at, random.chance(1, 3) ? now + random.below(5) - 2 : number(random));
      }
    }
    return Bytes.withRightChecksums(forged);
  }

  private static long number(SplitMix64 random) {
    return random.chance(1, 2)
        ? EXTREMES[(int) random.below(EXTREMES.length)]
        : random.next() >>> random.below(64);
  }

  /** Where blocks begin, without the end mark. */
  private static int[] blocks(ByteBuffer state) {
    IntStream.Builder blocks = IntStream.builder();
    for (int at = BlockWriter.FILE_HEADER_BYTES; state.getInt(at) != Frame.END.id; ) {
      blocks.add(at);
      at += BlockWriter.HEADER_BYTES + state.getInt(at + 8) + BlockWriter.CRC_BYTES;
    }
    return blocks.build().toArray();
  }

  // ---- Life

  /** Returns whether it was read; what was read has then lived without a fault. */
  private static boolean refusedOrAlive(byte[] forged, String name) {
    try {
      Snapshot read;
      try {
        read = Bytes.read(forged);
      } catch (SnapshotException e) {
        assertThat(e).as(name).hasMessageStartingWith("test.uns: ");
        assertThat(isRejectedByCheck(forged)).as(name).isTrue();
        return false;
      }
      assertThat(isRejectedByCheck(forged)).as(name).isFalse();
      live(read, forged, name);
      return true;
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(name, e);
    }
  }

  private static boolean isRejectedByCheck(byte[] bytes) throws IOException {
    try {
      SnapshotFormat.check(
          Channels.newChannel(new ByteArrayInputStream(bytes)), bytes.length, "test.uns");
      return false;
    } catch (SnapshotException e) {
      return true;
    }
  }

  private static void live(Snapshot read, byte[] forged, String name) throws IOException {
    requireSound(Report.of(read), name);
    Gate gate = gate(read);
    long[] hashes = hashesFor(gate, ADMITS);
    admit(gate, hashes);
    requireSound(gate.report(), name);
    byte[] saved = save(gate, gate.metadata());
    Gate loaded = gate(Bytes.read(saved));
    loaded.merge(gate(Bytes.read(forged)));
    admit(loaded, Arrays.copyOf(hashes, Math.min(hashes.length, 1000)));
    requireSound(loaded.report(), name);
    byte[] merged = save(loaded, loaded.metadata());
    assertThat(save(gate(Bytes.read(merged)), loaded.metadata())).as(name).isEqualTo(merged);
    assertThat(Bytes.of(SnapshotMerge.merge(Bytes.read(merged), Bytes.read(saved))))
        .as(name)
        .isNotEmpty();
  }

  private static void requireSound(Report report, String name) {
    assertThat(report.load()).as(name).isBetween(0.0, 1.0);
    assertThat(report.estimatedFpr()).as(name).isBetween(0.0, 1.0);
    assertThat(report.windowCoverage()).as(name).isBetween(0.0, 1.0);
    assertThat(report.estimatedCardinality()).as(name).isNotNegative();
    assertThat(report.records()).as(name).isBetween(report.admitted(), Long.MAX_VALUE);
    report
        .audit()
        .ifPresent(
            audit -> {
              for (MeasuredRate rate : List.of(audit.fpr(), audit.fnr())) {
                assertThat(rate.low()).as(name).isBetween(0.0, 1.0);
                assertThat(rate.rate()).as(name).isBetween(0.0, 1.0);
                assertThat(rate.high()).as(name).isBetween(0.0, 1.0);
              }
            });
    assertThat(report.toString()).as(name).isNotEmpty();
  }

  private static Gate gate(Snapshot state) {
    GateBuilder builder = Gate.builder().clock(CLOCK).onAlarm(alarm -> {});
    if (!state.spec().window().isTime()) {
      return builder.restore(state);
    }
    boolean event = state.spec().window().lateness() > 0;
    ClockState clock =
        new ClockState(
            event ? Basis.EVENT : Basis.ARRIVAL, state.clock().latest(), state.clock().rejected());
    return (event ? builder.eventTime() : builder).restore(state.with(clock));
  }

  /** One filter knows all hashes; of one in shards, those of the shards that it holds. */
  private static long[] hashesFor(Gate gate, int count) {
    LongStream hashes = Arrays.stream(HASHES, 0, count);
    if (gate.shards().isEmpty()) {
      return hashes.toArray();
    }
    boolean[] held = new boolean[ShardedFilter.SHARDS];
    gate.shards().forEach(shard -> held[shard] = true);
    return hashes.filter(hash -> held[ShardedFilter.shardOf(hash)]).toArray();
  }

  /** One by one, and in batches; with times that go on. */
  private static void admit(Gate gate, long[] hashes) {
    int half = hashes.length / 2;
    for (int i = 0; i < half; i++) {
      gate.admit(hashes[i], 6000 + i);
    }
    int batch = 4096;
    for (int i = half; i < hashes.length; i += batch) {
      int count = Math.min(batch, hashes.length - i);
      long[] times = LongStream.range(i, i + count).map(at -> 6000 + at).toArray();
      long[] part = Arrays.copyOfRange(hashes, i, i + count);
      gate.admitAll(part, times, 0, count, new long[(count + 63) / 64]);
    }
  }

  private static byte[] save(Gate gate, Map<String, String> texts) {
    Snapshot snapshot = gate.snapshot(texts).withSavedAt(17);
    return Bytes.of(snapshot);
  }

  @Test
  void a_state_of_a_stream_is_allocated_as_its_bytes_come() throws IOException {
    byte[] state =
        used(Snapshot.of(Filters.create(spec(FilterKind.BLOOM, 1000, Window.NONE)), 0, 0), 500);
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.writeBytes(state);
    two.writeBytes(state);
    ByteArrayInputStream in = new ByteArrayInputStream(two.toByteArray());
    for (int i = 0; i < 2; i++) {
      Snapshot read = SnapshotFormat.read(Channels.newChannel(in), "test.uns");
      assertThat(save(gate(read), read.metadata())).isEqualTo(state);
    }
  }
}
