package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RejectedOptionsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static DeduplicatorBuilder<String> builder() {
    return Deduplicator.builder(Keys.utf8()).seed(0);
  }

  // ---- memory and expected keys

  @Test
  void a_memory_that_cannot_hold_the_expected_keys_is_rejected() {
    assertThatThrownBy(() -> builder().memory(1024).expectedKeys(100_000_000).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "memory \\(1,024 bytes\\) must be at least 3\\d\\d,\\d{3},\\d{3} bytes for expectedKeys \\(100,000,000\\); leave memory out, .*");
    long enough = builder().expectedKeys(1_000_000).spec().memoryBytes();
    assertThat(builder().memory(enough).expectedKeys(1_000_000).build().memoryBytes())
        .isEqualTo(enough);
    assertThatThrownBy(
            () ->
                builder()
                    .memory(enough)
                    .expectedKeys(1_000_000)
                    .window(Window.time(HOUR).withLateness(HOUR))
                    .build())
        .as("keys for late records take some of the room")
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"RECENCY", "BLOOM"})
  void expected_keys_are_rejected_by_kinds_that_forget_at_random(FilterKind kind) {
    assertThatThrownBy(() -> builder().kind(kind).memory(MiB(1)).expectedKeys(10).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys (10) must be left out for " + kind.id());
  }

  @Test
  void few_expected_keys_can_be_concurrent() throws IOException {
    for (FilterKind kind : List.of(FilterKind.RECENCY, FilterKind.BLOOM)) {
      Deduplicator<String> dedup = builder().kind(kind).expectedKeys(100).concurrent().build();
      assertThat(dedup.memoryBytes()).isEqualTo(KiB(8));
      for (int i = 0; i < 100; i++) {
        dedup.admit("key " + i);
      }
      assertThat(dedup.admitted()).isEqualTo(100);
      byte[] saved = saved(dedup);
      for (DeduplicatorBuilder<String> same :
          List.of(builder(), builder().kind(kind).expectedKeys(100))) {
        assertThat(same.load(new ByteArrayInputStream(saved)).records()).isEqualTo(100);
        assertThat(same.concurrent().load(new ByteArrayInputStream(saved)).records())
            .isEqualTo(100);
      }
    }
    assertThatThrownBy(() -> builder().memory(512).concurrent().spec())
        .as("the caller has chosen it")
        .hasMessageStartingWith("memory (512 bytes) must be at least 8,192 bytes for 128 shards");
  }

  @Test
  void a_small_filter_that_holds_no_shard_can_be_written() throws IOException {
    FilterSpec spec = FilterSpec.of(FilterKind.RECENCY, 512);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Snapshot.of(ShardedFilter.of(spec, new int[0]), 0, 0).write(bytes);
    Snapshot read =
        Snapshot.read(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())), "head");
    assertThat(read.spec()).isEqualTo(spec);
    assertThat(read.heldShards()).isEmpty();
  }

  private static byte[] saved(Deduplicator<?> dedup) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    dedup.save(bytes);
    return bytes.toByteArray();
  }

  // ---- null

  private static void isNull(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void null_is_rejected_by_name() {
    Deduplicator<String> dedup = builder().memory(4096).build();
    isNull(() -> builder().reservationTimeout(null), "reservationTimeout is null; leave it out");
    isNull(() -> builder().maxTimeAhead(null), "maxTimeAhead is null");
    isNull(() -> builder().maxTimeJump(null), "maxTimeJump is null");
    isNull(() -> builder().set(null, 1), "option is null");
    isNull(() -> builder().set(Option.WINDOW, null), "window is null; leave it out");
    isNull(() -> builder().loadShards(null), "shards is null");
    isNull(() -> dedup.admitAll(null), "batch is null");
    isNull(() -> dedup.through((Stream<String>) null), "source is null");
    isNull(() -> dedup.through((Iterator<String>) null), "source is null");
    isNull(() -> dedup.through((Stream<String>) null, () -> true), "source is null");
    isNull(() -> dedup.merge(null), "other is null; name the deduplicator");
    isNull(() -> Secret.parse(null), "text is null; a secret is");
    isNull(() -> dedup.snapshot(null), "texts is null; Map.of() is none");
    Map<String, String> texts = new HashMap<>();
    texts.put("offset", null);
    isNull(() -> dedup.snapshot(texts), "the text 'offset' is null; leave it out");
    texts.clear();
    texts.put(null, "81523");
    isNull(() -> dedup.snapshot(texts), "the name of a text is null");
  }

  private record Event(String id, Long number, Long at) {
    int length() {
      return id.length();
    }
  }

  @Test
  void an_event_time_that_is_null_is_rejected_by_name() {
    DeduplicatorBuilder<Event> builder =
        Deduplicator.builder(Keys.utf8(Event::id))
            .memory(4096)
            .window(Window.time(Duration.ofMinutes(1)));
    Event event = new Event("a", 1L, null);
    for (Deduplicator<Event> dedup :
        List.of(builder.eventTime(Event::at).build(), builder.eventTime(e -> e.at()).build())) {
      isNull(
          () -> dedup.admit(event),
          "the event time is null in a record of " + Event.class.getName());
      isNull(() -> dedup.admitAll(List.of(event)), "the event time is null in a record of ");
      assertThat(dedup.records()).isZero();
    }
  }

  @Test
  void a_number_that_is_null_is_no_key_and_other_failures_stay_what_they_are() {
    Event event = new Event(null, null, 1L);
    Deduplicator<Event> reference =
        Deduplicator.builder(Keys.longs(Event::number)).memory(4096).build();
    Deduplicator<Event> lambda =
        Deduplicator.builder(Keys.<Event>longs(e -> e.number())).memory(4096).build();
    isNull(() -> reference.admit(event), "key is null in a record of");
    isNull(() -> lambda.admit(event), "key is null in a record of");
    isNull(() -> lambda.admit(null), "record is null; drop null records first");
    Deduplicator<Event> failing =
        Deduplicator.builder(Keys.ints(Event::length)).memory(4096).build();
    assertThatThrownBy(() -> failing.admit(event))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("String.length()")
        .hasNoCause();
  }

  // ---- times, counts and channels

  @Test
  void a_jump_that_exceeds_a_signed_number_is_rejected() {
    Gate gate =
        Gate.builder()
            .memory(4096)
            .window(Window.time(Duration.ofMinutes(10)))
            .eventTime()
            .clock(() -> Instant.ofEpochMilli(1_700_000_000_000L))
            .maxTimeJump(Duration.ofHours(1))
            .build();
    gate.admit(1, Long.MIN_VALUE + 1);
    gate.admit(2, 1_700_000_000_000L);
    assertThat(gate.latestMillis()).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(gate.report().rejectedTimes()).isEqualTo(1);
  }

  @Test
  void a_time_that_is_late_by_more_than_a_signed_number_counts_as_late() {
    Gate gate =
        Gate.builder()
            .memory(4096)
            .window(Window.time(Duration.ofMinutes(10)))
            .eventTime()
            .clock(() -> Instant.ofEpochMilli(1_700_000_000_000L))
            .build();
    gate.admit(1, 1_700_000_000_000L);
    gate.admit(2, Long.MIN_VALUE + 1);
    assertThat(gate.report().lateTimes()).isEqualTo(1);
  }

  @Test
  void counts_end_at_the_same_number_in_memory_and_in_a_state() throws IOException {
    long most = 1L << 60;
    for (long before : new long[] {most - 1, Long.MAX_VALUE}) {
      Gate gate =
          Gate.builder()
              .restore(
                  Snapshot.of(
                      Filters.create(FilterSpec.of(FilterKind.RECENCY, 4096)), before, before));
      for (long hash = 1; hash < 5; hash++) {
        gate.admit(hash << 40);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      gate.save(bytes, Map.of());
      Gate loaded = Gate.builder().load(new ByteArrayInputStream(bytes.toByteArray()));
      assertThat(gate.records()).isEqualTo(most).isEqualTo(loaded.records());
      assertThat(gate.admitted()).isEqualTo(most).isEqualTo(loaded.admitted());
      assertThat(gate.report().duplicates()).isZero();
    }
  }

  @Test
  @Timeout(60)
  void a_channel_that_does_not_wait_is_rejected() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      source.configureBlocking(false);
      assertThatThrownBy(() -> builder().load(source))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("call configureBlocking(true)");
      sink.configureBlocking(false);
      Deduplicator<String> dedup = builder().memory(MiB(1)).build();
      assertThatThrownBy(() -> dedup.save((WritableByteChannel) sink)) // nobody reads
          .isInstanceOf(IOException.class)
          .hasMessageContaining("call configureBlocking(true)");
      assertThat(dedup.admit("a")).as("it can still be used").isTrue();
      dedup.save(OutputStream.nullOutputStream());
    }
  }
}
