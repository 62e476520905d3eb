package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.audit.AuditSpec;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Options are values: they are declared once, and each front end names them. */
final class GateConfigTest {
  private static final GateConfig ALL =
      GateConfig.EMPTY
          .with(Option.MEMORY, Memory.MiB(64))
          .with(Option.EXPECTED_KEYS, 1_000_000L)
          .with(Option.MAX_FPR, 1e-5)
          .with(Option.WINDOW, Window.time(Duration.ofHours(24)))
          .with(Option.EVENT_TIME, true)
          .with(Option.MAX_LATENESS, Duration.ofHours(2))
          .with(Option.LATE_RECORDS, LateRecords.DROP)
          .with(Option.MAX_TIME_AHEAD, Duration.ofMinutes(5))
          .with(Option.MAX_TIME_JUMP, Duration.ofDays(3))
          .with(Option.REFRESH, Refresh.NEVER)
          .with(Option.KIND, FilterKind.RECENCY)
          .with(Option.HASHES, 4)
          .with(Option.SHARE, 0.25)
          .with(Option.DECREMENTS, 5)
          .with(Option.CELL_BITS, 2)
          .with(Option.THRESHOLD, 0.02)
          .with(Option.PARTITIONED, false)
          .with(Option.HASH, HashKind.SIPHASH)
          .with(Option.SECRET, Secret.parse("00112233445566778899aabbccddeeff"))
          .with(Option.SEED, -7L)
          .with(Option.AUDIT, AuditSpec.oneIn(1024))
          .with(Option.CONCURRENT, true)
          .with(Option.RESERVATION_TIMEOUT, Duration.ofSeconds(90))
          .with(Option.MAX_RESERVATIONS, 5000)
          .with(Option.ON_CHANGE, OnChange.GROW)
          .with(Option.MAX_HANDOVER, Duration.ofDays(2));

  @Test
  void every_option_is_read_from_the_text_that_it_prints() {
    assertThat(ALL.text()).hasSize(Option.all().size());
    assertThat(GateConfig.parse(ALL.text())).isEqualTo(ALL);
    Option.all().forEach(option -> assertThat(Option.named(option.hyphenated())).hasValue(option));
  }

  @Test
  void it_is_serialized_as_text() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(ALL);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(ALL);
    }
  }

  @Test
  void a_builder_takes_and_returns_it() {
    GateConfig config = GateConfig.EMPTY.with(Option.MEMORY, Memory.KiB(64)).with(Option.SEED, 1L);
    assertThat(Gate.builder().memory(Memory.KiB(64)).seed(1).config()).isEqualTo(config);
    assertThat(Gate.builder().config(config).spec())
        .isEqualTo(Gate.builder().memory(Memory.KiB(64)).seed(1).spec());
  }

  @Test
  void only_options_of_a_running_gate_are_left_for_a_restart() {
    assertThat(ALL.runtime().text().keySet())
        .containsExactly(
            "eventTime",
            "lateRecords",
            "maxTimeAhead",
            "maxTimeJump",
            "reservationTimeout",
            "maxReservations",
            "onChange",
            "maxHandover");
  }

  @Test
  void a_secret_is_not_shown() {
    assertThat(ALL.toString()).contains("memory=67,108,864 bytes", "secret=secret ");
    assertThat(ALL.toString()).doesNotContain("00112233");
    assertThatThrownBy(() -> Option.SECRET.parse("0011")).hasMessageNotContaining("0011");
  }

  @Test
  void a_rejected_value_is_named_as_the_user_knows_it() {
    OptionException wrong =
        catchThrowableOfType(
            OptionException.class,
            () ->
                Gate.builder()
                    .memory(4096)
                    .expectedKeys(1_000_000)
                    .maxFalsePositiveRate(1e-4)
                    .spec());
    assertThat(wrong.option()).isEqualTo("memory");
    assertThat(wrong.value()).isEqualTo("(4,096 bytes)");
    assertThat(wrong)
        .hasMessageContaining("for expectedKeys (1,000,000); leave memory out, and the filter");
    assertThat(wrong.describe(name -> "--" + Option.hyphenated(name)))
        .startsWith("--memory (4,096 bytes) must be at least")
        .contains("for --expected-keys (1,000,000); leave --memory out, and the filter");
  }

  @Test
  void options_that_differ_from_a_state_are_data() {
    Gate gate = Gate.builder().memory(4096).seed(1).build();
    DifferentOptionsException different =
        catchThrowableOfType(
            DifferentOptionsException.class,
            () ->
                Gate.builder()
                    .memory(8192)
                    .maxFalsePositiveRate(1e-3)
                    .restore(gate.snapshot(Map.of())));
    assertThat(different.differences())
        .extracting(DifferentOptionsException.Difference::option)
        .containsExactly("memory", "maxFalsePositiveRate");
    assertThat(different.list(name -> "--" + name))
        .isEqualTo("--memory: 4,096 and 8,192 bytes; --maxFalsePositiveRate: 1e-4 and 0.001");
  }

  @Test
  void options_that_differ_are_reported_in_another_process_too() throws Exception {
    DifferentOptionsException thrown =
        new DifferentOptionsException(
            List.of(new DifferentOptionsException.Difference("memory", "1 MiB", "2 MiB")), true);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(thrown);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat((DifferentOptionsException) in.readObject())
          .hasMessage(thrown.getMessage())
          .hasMessageContaining("memory: 1 MiB and 2 MiB");
    }
  }

  @Test
  void an_unknown_option_is_rejected_with_those_that_exist() {
    assertThatThrownBy(() -> GateConfig.parse(Map.of("memroy", "1M")))
        .hasMessageStartingWith("option 'memroy' is unknown; known: [memory, ");
  }
}
