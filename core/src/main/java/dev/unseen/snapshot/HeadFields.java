package dev.unseen.snapshot;

import dev.unseen.clock.ClockState;
import dev.unseen.clock.ClockState.Basis;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardNumbers;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.state.Counts;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The fields of a head that only some states need: texts by name, after the user's own texts. A
 * field with its default value is left out.
 *
 * @param texts the fields by name
 */
record HeadFields(Map<String, String> texts) {
  private static final String KEY_FORM = "key";
  private static final String SECRET = "secret";
  private static final String SHARDS = "shards";
  private static final String TIME = "time";
  private static final String LATEST = "latest";
  private static final String REJECTED = "rejected";
  private static final String PREDECESSORS = "predecessors";
  private static final String DROPPED = "dropped";
  private static final Set<String> KNOWN =
      Set.of(KEY_FORM, SECRET, SHARDS, TIME, LATEST, REJECTED, PREDECESSORS, DROPPED);

  /** Rejects unknown fields, which a later version of the program has written. */
  HeadFields {
    for (String name : texts.keySet()) {
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "the field '%s' is unknown; a later version of the program wrote it".formatted(name));
      }
    }
  }

  static HeadFields of(Snapshot snapshot) {
    Map<String, String> texts = new TreeMap<>();
    if (!snapshot.keyForm().isEmpty()) {
      texts.put(KEY_FORM, snapshot.keyForm());
    }
    snapshot.spec().secret().ifPresent(secret -> texts.put(SECRET, secret.digits()));
    List<Integer> held = snapshot.heldShards();
    if (snapshot.shards() > 1 && held.size() < snapshot.shards()) {
      texts.put(SHARDS, ShardNumbers.text(held));
    }
    ClockState clock = snapshot.clock();
    if (clock.basis() != Basis.NONE) {
      texts.put(TIME, clock.basis().name().toLowerCase(Locale.ROOT));
    }
    if (clock.latest() != ClockState.NEVER) {
      texts.put(LATEST, Long.toString(clock.latest()));
    }
    putCount(REJECTED, clock.rejected(), texts);
    putCount(PREDECESSORS, snapshot.predecessors().size(), texts);
    putCount(DROPPED, snapshot.dropped(), texts);
    return new HeadFields(texts);
  }

  private static void putCount(String name, long count, Map<String, String> texts) {
    if (count > 0) {
      texts.put(name, Long.toString(Math.min(count, Counts.MOST)));
    }
  }

  String keyForm() {
    return texts.getOrDefault(KEY_FORM, "");
  }

  /** Returns the spec with the secret, if there is one. */
  FilterSpec withSecret(FilterSpec spec) {
    if (!texts.containsKey(SECRET)) {
      return spec;
    }
    FilterSpec keyed = spec.withSecret(Secret.parse(texts.get(SECRET)));
    if (keyed.seed() != spec.seed()) {
      throw new IllegalArgumentException("the seed does not belong to the secret");
    }
    return keyed;
  }

  int[] shards() {
    return texts.containsKey(SHARDS)
        ? ShardNumbers.parse(texts.get(SHARDS))
        : IntStream.range(0, ShardedFilter.SHARDS).toArray();
  }

  /** Returns the number of predecessors, whose states follow. */
  int predecessors() {
    return (int) count(PREDECESSORS, Snapshot.MAX_PREDECESSORS);
  }

  long dropped() {
    return count(DROPPED, Counts.MOST);
  }

  private long count(String name, long most) {
    long count = number(name, 0);
    if (count < 0 || count > most) {
      throw new IllegalArgumentException(
          "the field '%s' (%d) must be 0 to %d".formatted(name, count, most));
    }
    return count;
  }

  ClockState clock() {
    return new ClockState(
        basis(texts.getOrDefault(TIME, Basis.NONE.name())),
        number(LATEST, ClockState.NEVER),
        number(REJECTED, 0));
  }

  private static Basis basis(String text) {
    return Arrays.stream(Basis.values())
        .filter(basis -> basis.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the field 'time' (%s) must be arrival or event".formatted(text)));
  }

  private long number(String name, long usual) {
    String text = texts.get(name);
    try {
      return text == null ? usual : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the field '%s' (%s) must be a whole number".formatted(name, text), e);
    }
  }
}
