package dev.unseen.kafka;

import dev.unseen.Gate;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.KeyForm;
import dev.unseen.Report;
import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.StateCopy;
import dev.unseen.state.Stateful;
import dev.unseen.text.Print;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.KeyValue;

/**
 * The gate of one partition: restored from a changelog, then used, and, if the partition moves away
 * and only a copy is kept here, restored further.
 *
 * <p>While it is restored, all times are believed, because they were accepted before. The secret is
 * known when the first head has been read. Hashes that come before it are accepted nevertheless,
 * since the filter does not hash: they were hashed with the secret of a head that the changelog has
 * deleted, which is the same.
 */
final class PartitionGate {
  private static final int BATCH = 4096;
  private static final Set<String> OF_HASHES = Set.of("hash", "secret", "seed");
  private static final System.Logger LOG = System.getLogger("dev.unseen");

  private PartitionOptions options;
  private final int partitions;
  private final String name;
  private final Window window;
  private boolean refreshes; // whether a duplicate makes its key last longer
  private final long[] hashes = new long[BATCH];
  private final long[] times = new long[BATCH];
  private final long[] fresh = new long[BATCH / Long.SIZE];
  private volatile Gate gate; // read by threads that report
  private boolean restoring = true;
  private boolean hasHead;
  private Snapshot latestHead; // null: none since the last restore

  /**
   * Starts from a state, or with nothing.
   *
   * @param name the partition in messages
   * @param state null: none
   * @throws DeduplicationRejectedException if the state has other options
   */
  PartitionGate(PartitionOptions options, int partitions, String name, Snapshot state) {
    this.options = options;
    this.window = options.window();
    this.partitions = partitions;
    this.name = name;
    this.hasHead = state != null;
    if (state == null) {
      this.gate = options.toRestore(partitions).build();
      return;
    }
    try {
      this.gate = options.toRestore(partitions).restore(state);
    } catch (IllegalArgumentException e) { // a class that is loaded even when the heap is full
      throw DeduplicationRejectedException.otherOptions("the state of " + name, partitions, e);
    }
  }

  private static boolean refreshes(FilterSpec spec) {
    return spec.kind() == FilterKind.RECENCY
        && spec.window().isTime()
        && spec.refresh() != Refresh.NEVER;
  }

  /** Restores a part of the changelog. */
  void restore(Collection<KeyValue<byte[], byte[]>> entries) {
    if (!restoring) {
      gate = options.toRestore(partitions).restore(state());
      restoring = true;
    }
    int count = 0;
    for (KeyValue<byte[], byte[]> entry : entries) {
      if (ChangelogFormat.isEntry(entry.key, entry.value)) {
        hashes[count] = ChangelogFormat.number(entry.key);
        times[count++] = ChangelogFormat.number(entry.value);
        if (count == BATCH) {
          admit(count);
          count = 0;
        }
      } else if (!ChangelogFormat.isMark(entry.key)) {
        admit(count); // with the hashes of an earlier head
        count = 0;
        head(entry);
      }
    }
    admit(count);
  }

  private void admit(int count) {
    if (count > 0) {
      gate.admitAll(hashes, times, 0, count, fresh);
    }
  }

  private void head(KeyValue<byte[], byte[]> entry) {
    if (!ChangelogFormat.isHead(entry.key) || entry.value == null) {
      throw new DeduplicationRejectedException(
          "%s holds a record of %d bytes that Unseen has not written; name another store(...), or delete the topic"
              .formatted(name, entry.key.length),
          null);
    }
    try {
      latestHead = ChangelogFormat.readHead(entry.value);
    } catch (IOException e) {
      throw new DeduplicationRejectedException(
          "%s cannot be read: %s. %s"
              .formatted(name, e.getMessage(), DeduplicationRejectedException.EMPTY_FILTER),
          e);
    }
    if (!hasHead) {
      adopt(latestHead);
      hasHead = true;
    } else if (!latestHead.spec().hashesLike(gate.spec())) {
      gate =
          options
              .hashingLike(latestHead.spec())
              .with(OnChange.GROW)
              .toRestore(partitions)
              .restore(state()); // what follows has other hashes
    }
  }

  /**
   * Takes over the secret of a head, and its options as far as none are set. The entries of a
   * changelog fit into a filter with any options, so other ones than these are no obstacle: the
   * latest head decides whether they are a change.
   */
  private void adopt(Snapshot head) {
    FilterSpec spec = specLike(head);
    if (!differences(spec, gate.spec()).isEmpty()) {
      forget("begins with %s whose head is gone, and whose filter had other options");
    }
    Snapshot before = state();
    DuplicateFilter filter = Filters.create(spec);
    if (before.records() > 0) {
      StateCopy.copy((Stateful) before.filter(), (Stateful) filter);
    }
    gate =
        options
            .hashingLike(spec)
            .toRestore(partitions)
            .restore(
                Snapshot.of(filter, before.records(), before.admitted())
                    .withMaxFpr(head.maxFpr())
                    .withKeyForm(head.keyForm())
                    .with(before.clock()));
  }

  /** Returns the differences that decide what fits into a filter, and not how keys are hashed. */
  private static List<Difference> differences(FilterSpec one, FilterSpec other) {
    return one.differencesTo(other).stream()
        .filter(difference -> !OF_HASHES.contains(difference.option()))
        .toList();
  }

  /**
   * Returns the spec of a head with the values that are set.
   *
   * @throws DeduplicationRejectedException if the keys or the source of times differ
   */
  private FilterSpec specLike(Snapshot head) {
    PartitionOptions alike = options.hashingLike(head.spec());
    try {
      return alike.with(OnChange.REJECT).of(partitions).restore(head).spec();
    } catch (DifferentOptionsException e) {
      if (!e.canGrow()) {
        throw DeduplicationRejectedException.otherOptions(name, partitions, e);
      }
      return alike.with(OnChange.GROW).of(partitions).restore(head).spec();
    } catch (IllegalArgumentException e) {
      throw DeduplicationRejectedException.otherOptions(name, partitions, e);
    }
  }

  /**
   * Rejects options that differ from those of the latest head, unless they may change. The next
   * head that is logged has the new options.
   */
  private void checkLatestHead() {
    if (latestHead == null) {
      return;
    }
    List<Difference> differences = differences(latestHead.spec(), gate.spec());
    if (!differences.isEmpty()) {
      DifferentOptionsException different = new DifferentOptionsException(differences, true);
      if (!options.mayGrow()) {
        throw DeduplicationRejectedException.otherOptions(name, partitions, different);
      }
      LOG.log(
          Level.INFO,
          "%s was written with other options (%s); the filter was built from it with the new ones"
              .formatted(name, different.list(UnaryOperator.identity())));
    }
    latestHead = null;
  }

  /** Ends the restore, if there was one, and returns the gate. */
  Gate ready() {
    if (restoring) {
      if (!hasHead) {
        forget("has lost its heads, and with them the secret of its %s");
        hasHead = true;
      }
      checkLatestHead();
      try {
        gate = options.of(partitions).restore(state());
      } catch (DifferentOptionsException e) { // of the hashes
        throw DeduplicationRejectedException.otherOptions(name, partitions, e);
      }
      refreshes = refreshes(gate.spec());
      restoring = false;
    }
    return gate;
  }

  /**
   * Forgets the hashes so far, and logs a warning if there are any.
   *
   * @param reason why they are of no use, with a place for their number
   */
  private void forget(String reason) {
    if (gate.records() > 0) {
      LOG.log(
          Level.WARNING,
          "%s %s: they are forgotten, and their duplicates will come through"
              .formatted(name, reason.formatted(Print.things(gate.records(), "key"))));
    }
    gate.clear();
  }

  /**
   * Returns whether a duplicate with this hash and time must be logged to the changelog: it renews
   * its key, and is the first to do so in this half of a window. So the time of a key in the
   * changelog is never more than half a window old.
   */
  boolean isFirstInHalf(long hash, long millis) {
    if (!refreshes) {
      return false;
    }
    long step = window.stepOf(gate.seenAt(millis));
    long half = step - Math.floorMod(step, Window.STEPS / 2);
    return !gate.mightContainSince(hash, window.firstMomentOf(half - 1));
  }

  /** Returns the gate as it is, to look at. */
  Gate peek() {
    return gate;
  }

  /** Returns a report. Any thread may ask. */
  Report report() {
    return gate.report();
  }

  /**
   * Records the form of the keys, which the heads contain from now on.
   *
   * @throws DeduplicationRejectedException if the keys so far are of another form
   */
  void requireKeys(KeyForm form) {
    KeyForm known = ready().keyForm();
    if (!known.fits(form)) {
      throw new DeduplicationRejectedException(
          "%s has %s, and the stream has %s: its duplicates would not be recognized. Return keys of the same type as before. %s"
              .formatted(name, known, form, DeduplicationRejectedException.EMPTY_FILTER),
          null);
    }
    if (known.encoding().isEmpty() && !form.encoding().isEmpty()) {
      options = new PartitionOptions(options.config(), form);
      gate = options.of(partitions).restore(state());
    }
  }

  /** Returns the head to log. */
  byte[] head() {
    return ChangelogFormat.head(ready().snapshot(Map.of()));
  }

  private Snapshot state() {
    return gate.snapshot(Map.of());
  }
}
