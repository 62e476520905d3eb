package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.files.DurableFile;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Item;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.StoreLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash at any moment leaves a directory from which nothing is missing. */
class CrashImageTest {
  private static final FilterDefinition SMALL =
      new FilterDefinition(1e-6, 1000, false, 0, Window.NONE, FilterKind.BLOOM, 0, 0, 0);

  /** A copy of the directory, with what must be in it, and which filters must not. */
  private record Image(Path directory, Map<String, Set<Long>> items, Set<String> deleted) {}

  @TempDir Path root;

  private final FailingChannel.Disk disk = new FailingChannel.Disk();
  private final List<Image> images = new ArrayList<>();
  private final Map<String, Set<Long>> items = new TreeMap<>();
  private final Set<String> deleted = new HashSet<>();
  private Durability durability;
  private Keyspace keyspace;
  private long next;

  private void start(Path directory) throws IOException {
    durability =
        Durability.open(
            directory,
            Fsync.NEVER,
            Duration.ofHours(1),
            1 << 20,
            file -> {
              disk.beforeEach.run();
              return disk.open(DurableFile.create(file));
            });
    keyspace =
        new Keyspace(
            durability.secret(Optional.empty()),
            new MemoryBudget(1 << 26, 0),
            StoreLimits.of(100, 1 << 16),
            InstantSource.system());
    durability.load(keyspace);
  }

  /** Waits for the save after a restart: an image is of one moment only if nobody else deletes. */
  private void awaitSave() throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (durability.isSaving() && System.nanoTime() < until) {
      Thread.sleep(10);
    }
    assertThat(durability.isSaving()).isFalse();
  }

  private synchronized void takeImage() {
    Path image = root.resolve("image" + images.size());
    try (Stream<Path> files = Files.list(root.resolve("data"))) {
      Files.createDirectory(image);
      for (Path file : files.toList()) {
        Files.copy(file, image.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Set<Long>> copy = new TreeMap<>();
    items.forEach((name, all) -> copy.put(name, Set.copyOf(all)));
    images.add(new Image(image, copy, Set.copyOf(deleted)));
  }

  private synchronized void promise(Runnable change) {
    change.run();
  }

  private void add(String name) {
    promise(() -> deleted.remove(name));
    ServedFilter filter = keyspace.findOrCreate(name, SMALL);
    long item = next++;
    filter.admit(new Item(item), 0, durability.journal());
    durability.journal().commit();
    promise(() -> items.computeIfAbsent(name, any -> new TreeSet<>()).add(item));
  }

  private void delete(String name) {
    promise(() -> items.remove(name));
    keyspace.delete(keyspace.require(name));
    durability.journal().commit();
    promise(() -> deleted.add(name));
  }

  private void crash() throws IOException {
    durability.close(false);
    takeImage();
  }

  @Test
  void the_directory_is_complete_before_each_step() throws Exception {
    disk.beforeEach = this::takeImage;
    Path data = root.resolve("data");
    Files.createDirectory(data);
    for (int round = 0; round < 3; round++) {
      start(data);
      awaitSave();
      add("a");
      add("b");
      durability.save();
      add("a");
      delete("a");
      add("c");
      durability.save(); // deletes the file of a
      add("a"); // another one
      durability.save();
      delete("b");
      add("b");
      add("c");
      crash();
    }
    disk.beforeEach = () -> {};
    assertThat(images).hasSizeGreaterThan(60);
    for (Image image : images) {
      start(image.directory());
      String name = image.directory().getFileName().toString();
      assertThat(durability.damagedFiles()).as(name).isZero();
      image
          .items()
          .forEach(
              (filter, all) -> {
                for (long item : all) {
                  assertThat(keyspace.require(filter).contains(new Item(item)))
                      .as("%s: item %d of %s", name, item, filter)
                      .isTrue();
                }
              });
      for (String filter : image.deleted()) {
        assertThat(keyspace.find(filter)).as("%s: %s", name, filter).isNull();
      }
      durability.close(false);
    }
  }
}
