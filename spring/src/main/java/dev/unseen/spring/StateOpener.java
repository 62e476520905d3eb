package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.DeduplicatorBuilder;
import dev.unseen.SavedDeduplicator;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.spring.DeduplicatorProperties.OnDamage;
import dev.unseen.spring.DeduplicatorProperties.StateProperties;
import dev.unseen.spring.StateRejectedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the state file of a deduplicator, and explains why it cannot be used. */
record StateOpener(String name, String prefix, StateProperties properties) {
  /**
   * Locks the file, and loads the state or starts empty.
   *
   * @param more sets further options
   * @throws StateRejectedException if the file or its state cannot be used
   */
  <T> SavedDeduplicator<T> open(NamedOptions<T> options, Consumer<DeduplicatorBuilder<T>> more) {
    Path directory = properties.path().toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw rejected(
          Reason.NOT_USABLE,
          "the directory %s does not exist; create it".formatted(directory),
          null);
    }
    SavedDeduplicator.Options file =
        SavedDeduplicator.at(properties.path())
            .lockTimeout(properties.getLockTimeout())
            .saveEvery(properties.getSaveEvery());
    if (properties.getOnDamage() == OnDamage.SET_ASIDE) {
      file.setDamagedAside();
    }
    try {
      return file.open(state -> start(options, more, state));
    } catch (SnapshotException.InUse e) {
      throw rejected(Reason.NOT_USABLE, e.getMessage(), e);
    } catch (SnapshotException e) {
      throw rejected(Reason.DAMAGED, e.getMessage(), e);
    } catch (IOException e) {
      throw rejected(Reason.NOT_USABLE, e.toString(), e);
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
      throw rejected(Reason.DIFFERENT_OPTIONS, e.describe(options::name), e);
    } catch (IllegalArgumentException e) {
      throw rejected(Reason.DIFFERENT_OPTIONS, e.getMessage(), e);
    }
  }

  private StateRejectedException rejected(Reason reason, String message, Exception cause) {
    return new StateRejectedException(reason, name, prefix, properties.path(), message, cause);
  }
}
