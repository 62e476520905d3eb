package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.SavedDeduplicator.Save;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedDeduplicatorTest {
  @TempDir Path directory;
  private Path file;
  private final Hand hand = new Hand();

  /** Runs the scheduled work when the test says so. */
  private static final class Hand extends ScheduledThreadPoolExecutor {
    private Runnable work;
    private long delay;

    Hand() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable command, long initialDelay, long delay, TimeUnit unit) {
      this.work = command;
      this.delay = unit.toMillis(delay);
      return super.scheduleWithFixedDelay(command, 1, 1, TimeUnit.DAYS);
    }
  }

  @BeforeEach
  void chooseFile() {
    file = directory.resolve("orders.uns");
  }

  @AfterEach
  void stop() {
    hand.shutdownNow();
  }

  private static DeduplicatorBuilder<String> orders() {
    return Deduplicator.builder(Keys.utf8()).expectedKeys(10_000).concurrent();
  }

  private SavedDeduplicator<String> open() throws IOException {
    return SavedDeduplicator.at(file)
        .saveEvery(Duration.ofSeconds(30))
        .scheduler(hand)
        .open(orders());
  }

  private long recordsInFile() throws IOException {
    return StateFile.read(file).records();
  }

  @Test
  void a_restart_continues_where_the_last_run_ended() throws IOException {
    try (SavedDeduplicator<String> first = open()) {
      assertThat(first.deduplicator().admit("a")).isTrue();
      assertThat(first.file()).isEqualTo(file.toRealPath());
    }
    try (SavedDeduplicator<String> second = open()) {
      assertThat(second.deduplicator().admit("a")).isFalse();
      assertThat(second.deduplicator().records()).isEqualTo(2);
    }
  }

  @Test
  void it_saves_on_a_schedule_and_only_what_has_changed() throws IOException {
    try (SavedDeduplicator<String> saved = open()) {
      List<Save> saves = new ArrayList<>();
      saved.onSave(saves::add);
      assertThat(hand.delay).isEqualTo(30_000);
      hand.work.run();
      assertThat(saves).isEmpty();
      saved.deduplicator().admit("a");
      hand.work.run();
      assertThat(recordsInFile()).isEqualTo(1);
      hand.work.run();
      assertThat(saved.save()).isFalse();
      assertThat(saves).hasSize(1);
      assertThat(saved.lastSave()).contains(saves.get(0));
    }
  }

  @Test
  void a_clear_is_saved_although_there_are_as_many_records_afterwards() throws IOException {
    try (SavedDeduplicator<String> saved = open()) {
      saved.deduplicator().admit("a");
      assertThat(saved.save()).isTrue();
      saved.deduplicator().clear();
      saved.deduplicator().admit("b");
      assertThat(saved.save()).isTrue();
      assertThat(orders().load(file).mightContain("b")).isTrue();
    }
  }

  @Test
  void a_thread_of_its_own_saves_if_no_scheduler_is_given() throws IOException {
    try (SavedDeduplicator<String> saved =
        SavedDeduplicator.at(file).saveEvery(Duration.ofMillis(1)).open(orders())) {
      saved.deduplicator().admit("a");
      Patience.await("the save").until(() -> recordsInFile() == 1);
      assertThat(Thread.getAllStackTraces().keySet())
          .anyMatch(thread -> thread.getName().equals("unseen-save") && thread.isDaemon());
    }
    Patience.await("the end of the thread")
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("unseen-save")));
  }

  @Test
  void the_file_is_locked_until_it_is_closed() throws Exception {
    SavedDeduplicator<String> first = open();
    assertThatThrownBy(this::open).isInstanceOf(SnapshotException.InUse.class);
    Thread closing = new Thread(first::close);
    SavedDeduplicator.Options patient = SavedDeduplicator.at(file).lockTimeout(Patience.LIMIT);
    closing.start();
    patient.open(orders()).close();
    closing.join();
  }

  @Test
  void what_cannot_be_opened_is_left_unlocked() throws IOException {
    open().close();
    assertThatThrownBy(
            () ->
                SavedDeduplicator.at(file)
                    .open(Deduplicator.builder(Keys.utf8()).memory(1 << 20).concurrent()))
        .isInstanceOf(DifferentOptionsException.class);
    assertThatThrownBy(
            () ->
                SavedDeduplicator.at(directory.resolve("other.uns"))
                    .open(Deduplicator.builder(Keys.utf8()).expectedKeys(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "saveEvery (PT1M) needs a deduplicator for several threads; build it with concurrent(), or set saveEvery(Duration.ZERO) and call save");
    open().close();
    assertThatThrownBy(
            () -> SavedDeduplicator.at(directory.resolve("no/orders.uns")).open(orders()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("its directory does not exist; create it first");
  }

  @Test
  void a_damaged_file_is_rejected_or_set_aside() throws IOException {
    Files.writeString(file, "not a state");
    assertThatThrownBy(this::open).isInstanceOf(SnapshotException.class);
    Instant now = Instant.ofEpochMilli(42);
    try (SavedDeduplicator<String> saved =
        SavedDeduplicator.at(file).setDamagedAside().clock(() -> now).open(orders())) {
      assertThat(saved.deduplicator().admit("a")).isTrue();
      assertThat(saved.lastSave().map(Save::time)).contains(now);
    }
    assertThat(directory.resolve("orders.uns.damaged-42")).hasContent("not a state");
    assertThat(recordsInFile()).isEqualTo(1);
  }

  @Test
  void a_failed_save_is_reported_and_tried_again() throws IOException {
    List<Save> saves = new ArrayList<>();
    try (SavedDeduplicator<String> saved = open()) {
      saved.onSave(saves::add);
      saved.deduplicator().admit("a");
      Path obstacle = directory.resolve("orders.uns.new");
      Files.createDirectory(obstacle);
      Files.createFile(obstacle.resolve("file"));
      hand.work.run(); // logs it
      assertThat(saved.lastFailure()).isPresent();
      assertThat(saved.failures()).isEqualTo(1);
      assertThat(saves.get(0).failure()).isEqualTo(saved.lastFailure());
      assertThatThrownBy(saved::save).isInstanceOf(IOException.class);
      Files.delete(obstacle.resolve("file"));
      Files.delete(obstacle);
      hand.work.run();
      assertThat(saved.lastFailure()).isEmpty();
      assertThat(recordsInFile()).isEqualTo(1);
    }
  }

  @Test
  void a_failure_on_close_is_thrown_and_releases_the_file() throws IOException {
    SavedDeduplicator<String> saved = open();
    saved.deduplicator().admit("a");
    Path obstacle = directory.resolve("orders.uns.new");
    Files.createDirectory(obstacle);
    Files.createFile(obstacle.resolve("file"));
    assertThatThrownBy(saved::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("what came since the last save is lost");
    saved.close();
    assertThatThrownBy(saved::save).isInstanceOf(IllegalStateException.class);
    Files.delete(obstacle.resolve("file"));
    Files.delete(obstacle);
    open().close();
  }

  @Test
  void a_deduplicator_for_one_thread_is_saved_when_asked_to() throws IOException {
    DeduplicatorBuilder<String> single = Deduplicator.builder(Keys.utf8()).expectedKeys(100);
    try (SavedDeduplicator<String> saved =
        SavedDeduplicator.at(file).saveEvery(Duration.ZERO).open(single)) {
      saved.deduplicator().admit("a");
      assertThat(saved.save()).isTrue();
    }
    assertThat(recordsInFile()).isEqualTo(1);
  }
}
