package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.GateConfig;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a partition makes of its changelog. */
class PartitionGateTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int KEYS = 10_000;

  private GateConfig config = GateConfig.EMPTY.with(Option.MEMORY, Memory.MiB(1));

  private PartitionGate partition() {
    return new PartitionGate(
        new PartitionOptions(config, KeyForm.UNKNOWN), 1, "partition 0 of log", null);
  }

  private static KeyValue<byte[], byte[]> entry(long key, long time) {
    return new KeyValue<>(ChangelogFormat.bytes(Mix.mix(key)), ChangelogFormat.bytes(time));
  }

  private static KeyValue<byte[], byte[]> head(byte[] bytes) {
    return new KeyValue<>(ChangelogFormat.HEAD.get(), bytes);
  }

  private static List<KeyValue<byte[], byte[]>> entries(int from, int to) {
    List<KeyValue<byte[], byte[]>> entries = new ArrayList<>();
    for (int i = from; i < to; i++) {
      entries.add(entry(i, 0));
    }
    return entries;
  }

  private static void assertKnows(Gate gate, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(gate.mightContain(Mix.mix(i))).as("key %d", i).isTrue();
    }
  }

  @Test
  void entries_before_the_first_head_that_is_left_are_known_too() {
    byte[] head = partition().head();
    PartitionGate later = partition();

    later.restore(entries(0, KEYS));
    later.restore(List.of(head(head)));
    later.restore(entries(KEYS, 2 * KEYS));

    assertKnows(later.ready(), 0, 2 * KEYS);
    assertThat(later.ready().spec().secret()).isEqualTo(secretOf(head));
    assertThat(later.ready().admitted()).isEqualTo(2 * KEYS);
  }

  private static java.util.Optional<dev.unseen.hash.Secret> secretOf(byte[] head) {
    try {
      return ChangelogFormat.readHead(head).spec().secret();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void entries_whose_secret_is_gone_are_of_no_use() {
    PartitionGate later = partition();

    later.restore(entries(0, KEYS));

    assertThat(later.ready().admitted()).isZero();
    assertThat(later.ready().mightContain(Mix.mix(1))).isFalse();
  }

  @Test
  void a_partition_that_was_used_can_be_restored_further() {
    PartitionGate partition = partition();
    assertThat(partition.ready().admit(Mix.mix(-1))).isTrue();

    partition.restore(entries(0, KEYS));

    assertKnows(partition.ready(), -1, KEYS);
  }

  /** The times between were those of duplicates, which are not in the changelog. */
  @Test
  void times_that_were_accepted_before_are_not_judged_again() {
    config =
        config
            .with(Option.WINDOW, Window.time(Duration.ofHours(8)))
            .with(Option.MAX_TIME_JUMP, Duration.ofHours(1));
    byte[] head = partition().head();
    PartitionGate later = partition();

    later.restore(List.of(head(head), entry(1, HOUR), entry(2, 20 * HOUR)));

    assertThat(later.ready().latestMillis()).isEqualTo(20 * HOUR);
    assertThat(later.ready().admit(Mix.mix(1), 20 * HOUR)).as("its window is over").isTrue();
    assertThat(later.ready().admit(Mix.mix(2), 20 * HOUR)).isFalse();
    assertThat(later.ready().report().rejectedTimes()).isZero();
    later.ready().admit(Mix.mix(3), 30 * HOUR);
    assertThat(later.ready().report().rejectedTimes()).as("judged as usual").isEqualTo(1);
  }

  @Test
  void the_changelog_of_another_filter_is_rejected_with_the_options_that_differ() {
    byte[] head = partition().head();
    config = config.with(Option.MEMORY, Memory.MiB(2));
    PartitionGate later = partition();

    later.restore(List.of(head(head)));
    assertThatThrownBy(later::ready)
        .isInstanceOf(DeduplicationRejectedException.class)
        .hasMessageContaining("partition 0 of log was written with other options")
        .hasMessageContaining("memory: 1,048,576 and 2,097,152 bytes")
        .hasMessageContaining("without forgetting any key with onChange(GROW)")
        .hasMessageContaining("delete this topic (kafka-topics --delete)")
        .hasMessageContaining("continue at the committed offsets")
        .hasMessageNotContaining("application-reset");
  }

  /** Options with which a filter is restored as it was. */
  static Stream<UnaryOperator<GateConfig>> options() {
    UnaryOperator<GateConfig> keys =
        config -> config.without(Option.MEMORY).with(Option.EXPECTED_KEYS, 100_000L);
    return Stream.of(
        keys,
        config -> keys.apply(config).with(Option.WINDOW, Window.time(Duration.ofHours(8))),
        config -> keys.apply(config).with(Option.KIND, FilterKind.BLOOM),
        config -> config.with(Option.EXPECTED_KEYS, 100_000L),
        config -> config.with(Option.KIND, FilterKind.RSBF),
        config -> config.with(Option.SEED, 5L).with(Option.REFRESH, Refresh.NEVER));
  }

  @ParameterizedTest
  @MethodSource("options")
  void a_filter_with_the_same_options_is_restored(UnaryOperator<GateConfig> set) {
    config = set.apply(config);
    PartitionGate first = partition();
    PartitionGate later = partition();

    later.restore(List.of(head(first.head())));
    later.restore(entries(0, KEYS));

    assertKnows(later.ready(), 0, KEYS);
    assertThat(later.ready().spec()).isEqualTo(first.ready().spec());
  }

  @Test
  void options_that_are_left_out_are_those_of_the_changelog() {
    config = config.with(Option.KIND, FilterKind.BLOOM);
    byte[] head = partition().head();
    config = config.without(Option.KIND);
    PartitionGate later = partition();

    later.restore(entries(0, 1)); // its head is gone
    later.restore(List.of(head(head)));
    later.restore(entries(1, KEYS));

    assertKnows(later.ready(), 1, KEYS);
    assertThat(later.ready().spec().kind()).isEqualTo(FilterKind.BLOOM);
    assertThat(later.ready().admitted()).as("the first is forgotten").isLessThan(KEYS);
  }

  /** Options that a test changes: memory, the rate, and windows. */
  static Stream<UnaryOperator<GateConfig>> changes() {
    return Stream.of(
        config -> config.with(Option.MEMORY, Memory.MiB(4)),
        config -> config.with(Option.MAX_FPR, 1e-6),
        config -> config.with(Option.KIND, FilterKind.BLOOM).with(Option.MEMORY, Memory.MiB(4)),
        config -> config.with(Option.WINDOW, Window.time(Duration.ofHours(8))),
        config -> config.with(Option.WINDOW, Window.time(Duration.ofHours(1))));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void a_filter_with_other_options_is_built_from_the_changelog(UnaryOperator<GateConfig> change) {
    config = config.with(Option.WINDOW, Window.time(Duration.ofHours(2)));
    if (change.apply(config).get(Option.KIND).isPresent()) {
      config = config.without(Option.WINDOW); // BLOOM has none
    }
    byte[] before = partition().head();
    config = change.apply(config);
    PartitionGate rejected = partition();
    rejected.restore(List.of(head(before)));
    assertThatThrownBy(rejected::ready).isInstanceOf(DeduplicationRejectedException.class);

    config = config.with(Option.ON_CHANGE, OnChange.GROW);
    PartitionGate grown = partition();
    grown.restore(List.of(head(before)));
    grown.restore(entries(0, KEYS));
    assertKnows(grown.ready(), 0, KEYS);
    assertThat(grown.ready().spec().secret()).as("the same hashes").isEqualTo(secretOf(before));
    assertThat(grown.ready().spec().memoryBytes())
        .isEqualTo(config.get(Option.MEMORY, 0L).longValue());
    assertThat(grown.ready().report().predecessorBytes()).as("one filter").isZero();

    config = config.without(Option.ON_CHANGE);
    PartitionGate again = partition();
    again.restore(List.of(head(before)));
    again.restore(entries(0, KEYS));
    again.restore(List.of(head(grown.head())));
    again.restore(entries(KEYS, KEYS + 1));
    assertKnows(again.ready(), 0, KEYS + 1); // the latest head has the new options
  }

  @Test
  void another_secret_is_rejected_or_makes_a_filter_that_asks_the_one_before() {
    byte[] before = partition().head();
    config = config.with(Option.SECRET, Secret.random());
    PartitionGate rejected = partition();
    rejected.restore(List.of(head(before)));
    assertThatThrownBy(rejected::ready)
        .isInstanceOf(DeduplicationRejectedException.class)
        .hasMessageContaining("secret: ")
        .hasMessageContaining("onChange(GROW)");

    config = config.with(Option.ON_CHANGE, OnChange.GROW);
    PartitionGate rotated = partition();
    rotated.restore(List.of(head(before)));
    rotated.restore(entries(0, KEYS));
    assertThat(rotated.ready().spec().secret()).isEqualTo(config.get(Option.SECRET));
    assertThat(rotated.ready().rehashes()).isTrue();
    assertThat(rotated.ready().isKnown(Mix.mix(-1), earlier -> Mix.mix(1))).isTrue();

    config = config.without(Option.ON_CHANGE).without(Option.SECRET);
    PartitionGate again = partition();
    again.restore(List.of(head(before)));
    again.restore(entries(0, KEYS));
    again.restore(List.of(head(rotated.head()), entry(KEYS, 0)));
    assertThat(again.ready().spec().secret()).isEqualTo(rotated.ready().spec().secret());
    assertThat(again.ready().isKnown(Mix.mix(-1), earlier -> Mix.mix(1))).isTrue();
    assertThat(again.ready().mightContain(Mix.mix(KEYS))).as("of the present secret").isTrue();
  }

  @Test
  void records_of_others_in_the_changelog_are_rejected() {
    PartitionGate later = partition();

    assertThatThrownBy(() -> later.restore(List.of(new KeyValue<>(new byte[] {1}, new byte[] {2}))))
        .isInstanceOf(DeduplicationRejectedException.class)
        .hasMessageContaining("has not written");
    assertThatThrownBy(() -> later.restore(List.of(head(new byte[] {1, 2, 3}))))
        .isInstanceOf(DeduplicationRejectedException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void entries_without_any_head_are_forgotten_aloud() {
    List<String> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("dev.unseen");
    log.addHandler(handler);
    try {
      PartitionGate later = partition();
      later.restore(List.of(entry(1, HOUR), entry(2, HOUR)));
      assertThat(later.ready().records()).isZero();
      assertThat(logged).singleElement().asString().contains("the secret of its 2 keys");
      partition().ready();
      assertThat(logged).as("an empty changelog is no loss").hasSize(1);
    } finally {
      log.removeHandler(handler);
    }
  }

  @Test
  void heads_are_logged_often_enough_that_one_is_always_left() {
    ChangelogRetention timed =
        ChangelogRetention.of(Window.time(Duration.ofHours(24)), Memory.MiB(1), null);
    assertThat(timed.headMillis()).isLessThan(timed.millis() / 8);
    HeadSchedule heads = new HeadSchedule(timed);
    assertThat(heads.isDue(0)).isTrue();
    assertThat(heads.isDue(timed.headMillis() - 1)).isFalse();
    assertThat(heads.isDue(timed.headMillis())).isTrue();
    assertThat(heads.isDue(timed.headMillis() + 1)).isFalse();

    ChangelogRetention sized = ChangelogRetention.of(Window.NONE, Memory.MiB(64), null);
    assertThat(sized.bytes()).isEqualTo(18 * Memory.MiB(64));
    HeadSchedule counted = new HeadSchedule(sized);
    assertThat(counted.isDue(0)).isTrue();
    for (long i = 0; i < sized.headEntries(); i++) {
      assertThat(counted.isDue(0)).isFalse();
      counted.countEntry();
    }
    assertThat(counted.isDue(0)).isTrue();
  }
}
