package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.SavedDeduplicator;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.spring.DeduplicatorProperties.OnDamage;
import dev.unseen.spring.DeduplicatorProperties.StateProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the state file of a deduplicator, and explains why it cannot be used. */
record StateOpener(String name, String prefix, StateProperties properties) {
  private static final String NOT_USABLE =
      "Make the file usable for this process alone, or set %1$s.state.file to another file. If the process before this one is about to end, as in a rolling update, set %1$s.state.lock-timeout to wait for it.";
  private static final String DAMAGED =
      "Restore the file from a copy. Or set %1$s.state.on-damage=set-aside: the file is then renamed, and the application starts with an empty filter, which accepts everything once more.";
  private static final String DIFFERENT_OPTIONS =
      "Set the properties below %1$s to the saved values, or leave them out. Or set %1$s.on-change=grow, to change them without forgetting any key. Or set %1$s.state.file to another file, to start with an empty filter.";

  /**
   * Locks the file, and loads the state or starts empty.
   *
   * @param more sets further options
   * @throws BadOptionException if the file or its state cannot be used
   */
  <T> SavedDeduplicator<T> open(NamedOptions<T> options, Consumer<DeduplicatorBuilder<T>> more) {
    Path directory = properties.path().toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw rejected(
          "the directory %s does not exist; create it".formatted(directory), NOT_USABLE, null);
    }
    SavedDeduplicator.Options file =
        SavedDeduplicator.at(properties.path())
            .lockTimeout(properties.lockTimeout())
            .saveEvery(properties.saveEvery());
    if (properties.onDamage() == OnDamage.SET_ASIDE) {
      file.setDamagedAside();
    }
    try {
      return file.open(state -> start(options, more, state));
    } catch (SnapshotException.InUse e) {
      throw rejected(e.getMessage(), NOT_USABLE, e);
    } catch (SnapshotException e) {
      throw rejected(e.getMessage(), DAMAGED, e);
    } catch (IOException e) {
      throw rejected(e.toString(), NOT_USABLE, e);
    }
  }

  private <T> Deduplicator<T> start(
      NamedOptions<T> options, Consumer<DeduplicatorBuilder<T>> more, Optional<Snapshot> state) {
    DeduplicatorBuilder<T> builder = state.isPresent() ? options.forState() : options.forEmpty();
    more.accept(builder);
    if (state.isEmpty()) {
      return builder.build();
    }
    try {
      return builder.restore(state.get());
    } catch (DifferentOptionsException e) {
      throw rejected(e.describe(options::name), DIFFERENT_OPTIONS, e);
    } catch (IllegalArgumentException e) {
      throw rejected(e.getMessage(), DIFFERENT_OPTIONS, e);
    }
  }

  private BadOptionException rejected(String message, String action, Exception cause) {
    return new BadOptionException(
        "The state of the deduplicator '%s' in %s is rejected:%n%n    %s"
            .formatted(name, properties.path(), message),
        action.formatted(prefix),
        cause);
  }
}
