package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Patience;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams and iterators that go through a deduplicator. */
@Timeout(600) // a record that is held back would let a test wait for ever
final class ThroughTest {
  private static Deduplicator<Integer> small() {
    return Deduplicator.builder(Keys.ints()).memory(KiB(2)).seed(3).build();
  }

  private static Deduplicator<Integer> ample() {
    return Deduplicator.builder(Keys.ints()).memory(KiB(256)).seed(3).build();
  }

  private record Event(int key, long time) {}

  @Property(tries = 300)
  void all_ways_give_the_answers_of_one_by_one(Choices choices) {
    FilterKind kind = choices.draw("kind", oneOf(FilterKind.values()));
    boolean concurrent = choices.draw("concurrent", booleans());
    List<Integer> records = choices.draw("records", lists(ints(0, 500), 0, 2000));
    List<Deduplicator<Integer>> dedups = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      DeduplicatorBuilder<Integer> builder =
          Deduplicator.builder(Keys.ints()).memory(KiB(concurrent ? 64 : 1)).kind(kind).seed(3);
      dedups.add(concurrent ? builder.concurrent().build() : builder.build());
    }
    List<Integer> expected = records.stream().filter(dedups.get(0)::admit).toList();
    BooleanSupplier sometimes = alternating();
    List<List<Integer>> ways =
        List.of(
            dedups.get(1).through(records.stream()).toList(),
            list(dedups.get(2).through(records.stream()).iterator()),
            list(dedups.get(3).through(records.iterator())),
            list(dedups.get(4).through(records.iterator(), sometimes)),
            dedups.get(5).through(records.stream().filter(any -> true), () -> true).toList());
    for (int i = 0; i < ways.size(); i++) {
      assertThat(ways.get(i)).as("way %d", i).isEqualTo(expected);
      assertThat(dedups.get(i + 1).records()).isEqualTo(records.size());
      assertThat(dedups.get(i + 1).admitted()).isEqualTo(expected.size());
    }
  }

  private static BooleanSupplier alternating() {
    int[] asked = {0};
    return () -> asked[0]++ % 5 != 0;
  }

  private static <T> List<T> list(Iterator<T> records) {
    List<T> list = new ArrayList<>();
    records.forEachRemaining(list::add);
    return list;
  }

  @Property(tries = 100)
  void windows_of_event_time_give_the_answers_of_one_by_one(Choices choices) {
    List<Integer> keys = choices.draw("keys", lists(ints(0, 50), 0, 600));
    int step = choices.draw("step", ints(0, 300));
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      events.add(new Event(keys.get(i), 1_000_000L + (long) i * step - (i % 7 == 0 ? 500 : 0)));
    }
    Deduplicator<Event> single = windowed();
    Deduplicator<Event> through = windowed();
    assertThat(through.through(events.stream()).toList())
        .isEqualTo(events.stream().filter(single::admit).toList());
    assertThat(through.report().lateTimes()).isEqualTo(single.report().lateTimes());
  }

  private static Deduplicator<Event> windowed() {
    return Deduplicator.builder(Keys.ints(Event::key))
        .memory(KiB(4))
        .window(Window.time(Duration.ofSeconds(10)))
        .eventTime(Event::time)
        .clock(() -> Instant.ofEpochMilli(2_000_000))
        .build();
  }

  @Test
  void an_endless_stream_is_read_no_further_than_asked() {
    List<Integer> read = new ArrayList<>();
    Stream<Integer> endless = Stream.iterate(0, i -> i + 1).map(i -> i / 2).peek(read::add);
    assertThat(ample().through(endless).limit(4)).containsExactly(0, 1, 2, 3);
    assertThat(read).containsExactly(0, 0, 1, 1, 2, 2, 3);
  }

  @Test
  void nothing_is_read_before_somebody_asks() {
    List<Integer> list = new ArrayList<>(List.of(1, 2));
    Deduplicator<Integer> dedup = ample();
    Stream<Integer> through = dedup.through(list.stream().peek(i -> assertThat(i).isPositive()));
    Iterator<Integer> iterator = dedup.through(new Failing(), () -> true);
    assertThat(iterator).isNotNull();
    list.add(3); // as with any stream of a list, what is in it counts when it is read
    assertThat(through.toList()).containsExactly(1, 2, 3);
  }

  private static final class Failing implements Iterator<Integer> {
    @Override
    public boolean hasNext() {
      throw new AssertionError("asked too early");
    }

    @Override
    public Integer next() {
      throw new AssertionError("asked too early");
    }
  }

  /** What is taken in ahead is at most what was read before, however quick the source is. */
  @Test
  void a_block_is_at_most_as_large_as_all_before_it() {
    Deduplicator<Integer> dedup = ample();
    int[] read = {0};
    long most = 0;
    Iterator<Integer> through =
        dedup.through(IntStream.range(0, 20_000).boxed().peek(i -> read[0]++)).iterator();
    for (int given = 0; given < 5000; given++) {
      through.next();
      assertThat(read[0]).isLessThanOrEqualTo(2 * given + 1).isLessThanOrEqualTo(given + 256);
      most = Math.max(most, read[0] - given);
    }
    // Blocks do grow: only if each took a millisecond they would not.
    assertThat(most).isGreaterThan(2);
  }

  /** Three milliseconds for a record, by the clock that the code looks at. */
  @Test
  void a_slow_function_holds_nothing_back() {
    List<String> log = new ArrayList<>();
    Stream<Integer> slow =
        List.of(1, 2, 3, 4, 5, 6).stream()
            .map(
                i -> {
                  long until = System.nanoTime() + 3_000_000;
                  while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                  }
                  log.add("in " + i);
                  return i;
                });
    ample().through(slow).forEach(i -> log.add("out " + i));
    assertThat(log)
        .containsExactly(
            "in 1", "out 1", "in 2", "out 2", "in 3", "out 3", "in 4", "out 4", "in 5", "out 5",
            "in 6", "out 6");
  }

  /** A source of unknown size that blocks: what it has given has come out before. */
  @Test
  void records_are_not_held_back_when_a_source_pauses() throws Exception {
    BlockingQueue<Integer> source = new LinkedBlockingQueue<>();
    Iterator<Integer> taking = new Taking(source);
    pauses(source, ample().through(taking)::forEachRemaining);
    Iterator<Integer> again = new Taking(source);
    pauses(source, ample().through(again, () -> !source.isEmpty())::forEachRemaining);
    Stream<Integer> stream =
        StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(new Taking(source), Spliterator.ORDERED), false);
    pauses(source, ample().through(stream)::forEach);
    Stream<Integer> generated = Stream.generate(() -> take(source)).takeWhile(i -> i >= 0);
    pauses(source, ample().through(generated, () -> !source.isEmpty())::forEach);
  }

  /** A thread reads what is put into the source; each burst must be out before the next. */
  private static void pauses(BlockingQueue<Integer> source, Consumer<Consumer<Integer>> through)
      throws Exception {
    BlockingQueue<Integer> sink = new ArrayBlockingQueue<>(5000);
    CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> through.accept(sink::add));
    int next = 0;
    for (int burst : new int[] {1, 3, 100, 1, 700, 2, 1000, 5}) {
      List<Integer> expected = IntStream.range(next, next + burst).boxed().toList();
      source.addAll(expected);
      List<Integer> out = new ArrayList<>();
      while (out.size() < burst) {
        Integer record = sink.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(record).as("record %d of a burst of %d", out.size(), burst).isNotNull();
        out.add(record);
      }
      assertThat(out).isEqualTo(expected);
      next += burst;
    }
    source.add(-1);
    reader.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(sink).isEmpty();
  }

  /** Waits for the next record; -1 ends it. */
  private static final class Taking implements Iterator<Integer> {
    private final BlockingQueue<Integer> queue;
    private Integer next;

    Taking(BlockingQueue<Integer> queue) {
      this.queue = queue;
    }

    @Override
    public boolean hasNext() {
      return peek() >= 0;
    }

    private Integer peek() {
      next = next == null ? take(queue) : next;
      return next;
    }

    @Override
    public Integer next() {
      Integer record = peek();
      next = null;
      return record;
    }
  }

  private static int take(BlockingQueue<Integer> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Property(tries = 100)
  void all_records_before_a_failure_come_out_first(Choices choices) {
    int count = choices.draw("records", ints(1, 700));
    int bad = choices.draw("bad", ints(0, count - 1));
    boolean iterator = choices.draw("iterator", booleans());
    Deduplicator<Integer> dedup = ample();
    List<Integer> out = new ArrayList<>();
    Stream<Integer> source =
        IntStream.range(0, count)
            .boxed()
            .peek(
                i -> {
                  if (i == bad) {
                    throw new IllegalStateException("source " + i);
                  }
                });
    Stream<Integer> through = dedup.through(source);
    assertThatThrownBy(
            () -> {
              if (iterator) {
                through.iterator().forEachRemaining(out::add);
              } else {
                through.forEach(out::add);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("source " + bad);
    assertThat(out).isEqualTo(IntStream.range(0, bad).boxed().toList());
    assertThat(dedup.records()).isEqualTo(bad);
  }

  @Test
  void a_record_without_a_key_fails_after_those_before_it_and_can_be_passed_over() {
    Deduplicator<Integer> dedup = ample();
    Iterator<Integer> source = Arrays.asList(1, 2, 3, 4, null, 5, 1, 6).iterator();
    Iterator<Integer> through = dedup.through(source, () -> true);
    List<Integer> out = new ArrayList<>();
    assertThatThrownBy(() -> through.forEachRemaining(out::add))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("record is null");
    assertThat(out).containsExactly(1, 2, 3, 4);
    through.forEachRemaining(out::add); // as after any iterator's exception
    assertThat(out).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(dedup.records()).isEqualTo(7);
  }

  /** As {@code @SneakyThrows} and other languages do. */
  @Test
  void a_checked_exception_of_the_source_is_told_as_it_is() {
    Stream<Integer> source = List.of(1, 2).stream().peek(i -> ThroughTest.<RuntimeException>fail());
    assertThatThrownBy(() -> ample().through(source).toList())
        .isInstanceOf(IOException.class)
        .hasMessage("disk");
  }

  @SuppressWarnings("unchecked") // nothing is cast: the compiler is told another type
  private static <E extends Throwable> void fail() throws E {
    throw (E) new IOException("disk");
  }

  @Test
  void closing_closes_the_source() {
    List<String> closed = new ArrayList<>();
    try (Stream<Integer> through =
        ample()
            .through(List.of(1).stream().onClose(() -> closed.add("source")))
            .onClose(() -> closed.add("own"))) {
      assertThat(through.toList()).containsExactly(1);
      assertThat(closed).isEmpty();
    }
    assertThat(closed).containsExactlyInAnyOrder("source", "own");
  }

  @Test
  void a_parallel_stream_becomes_sequential_and_keeps_its_order() {
    List<Integer> records = IntStream.range(0, 20_000).mapToObj(i -> i * 31 % 7919).toList();
    Deduplicator<Integer> single = small();
    List<Integer> expected = records.stream().filter(single::admit).toList();
    Stream<Integer> through = small().through(records.parallelStream().map(i -> i));
    assertThat(through.isParallel()).isFalse();
    assertThat(through.toList()).isEqualTo(expected);
    // Asked for again after it, parallel work begins behind the deduplicator.
    Deduplicator<Integer> another = small();
    assertThat(another.through(records.stream()).parallel().map(i -> i + 1).toList())
        .isEqualTo(expected.stream().map(i -> i + 1).toList());
  }

  /** A deduplicator that holds one shard of 128: nothing is handed out that was not decided. */
  @Test
  void what_the_gate_rejects_is_not_handed_out() throws Exception {
    Deduplicator<Integer> all =
        Deduplicator.builder(Keys.ints()).memory(KiB(64)).concurrent().build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    all.saveShard(5, bytes);
    Deduplicator<Integer> one =
        Deduplicator.builder(Keys.ints())
            .loadShards(List.of(new ByteArrayInputStream(bytes.toByteArray())));
    List<Integer> out = new ArrayList<>();
    assertThatThrownBy(() -> one.through(IntStream.range(0, 1000).boxed()).forEach(out::add))
        .hasMessageContaining("shard");
    assertThat(out).allMatch(record -> one.shardOf(record) == 5);
  }

  @Test
  void what_is_missing_is_named() {
    assertThatThrownBy(() -> ample().through(Stream.of(1), null)).hasMessage("ready is null");
    assertThatThrownBy(() -> ample().through(List.of(1).iterator(), null))
        .hasMessage("ready is null");
    assertThatThrownBy(() -> ample().through((Iterator<Integer>) null))
        .isInstanceOf(NullPointerException.class);
  }
}
