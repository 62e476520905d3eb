package dev.unseen.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever clients do at once, some order of their commands, one after the other, gives the same
 * replies: Lincheck runs small programs many times and compares with a set. There are few keys and
 * room for all, so the filters are exact.
 */
class StoreOrderTest {
  private static final StressOptions OPTIONS =
      new StressOptions()
          .iterations(20)
          .invocationsPerIteration(40)
          .threads(3)
          .actorsPerThread(3)
          .actorsBefore(2)
          .actorsAfter(2)
          .minimizeFailedScenario(false);

  private static Keyspace keyspace() {
    return new Keyspace(
        Secret.random(),
        new MemoryBudget(1L << 40, 0),
        StoreLimits.of(10, 1 << 16),
        InstantSource.system());
  }

  private static long hash(int key) {
    return key * 0x9E3779B97F4A7C15L;
  }

  /**
   * Lincheck instruments all classes of its process, which fails for those of Netty that refer to
   * optional libraries. So it has a process of its own, with the classes of the store alone.
   */
  @Test
  void some_order_explains_what_clients_do_at_once() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-Djdk.attach.allowAttachSelf=true",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                System.getProperty("java.class.path"),
                StoreOrderTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("checked keys of SET", "checked a filter");
  }

  /** Runs Lincheck. */
  public static void main(String[] args) {
    OPTIONS.sequentialSpecification(ExactKeys.class).check(Keys.class);
    System.out.println("checked keys of SET");
    OPTIONS.sequentialSpecification(ExactFilter.class).check(Filter.class);
    System.out.println("checked a filter");
    System.exit(0); // whatever threads Lincheck has left
  }

  /** The keys of SET. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static final class Keys {
    private final Keyspace keyspace = keyspace();

    public Keys() {}

    private boolean set(int key, long millis) {
      long[] fresh = new long[1];
      keyspace.setKeys().setAll(Items.of(hash(key)), millis, fresh);
      return fresh[0] != 0;
    }

    @Operation
    public boolean setForAnHour(@Param(name = "key") int key) {
      return set(key, 3_600_000);
    }

    @Operation
    public boolean setForADay(@Param(name = "key") int key) {
      return set(key, 86_400_000);
    }

    @Operation
    public boolean exists(@Param(name = "key") int key) {
      return keyspace.setKeys().contains(new Item(hash(key)));
    }

    @Operation
    public boolean delete(@Param(name = "key") int key) {
      return keyspace.setKeys().delete(new Item(hash(key)));
    }

    @Operation
    public boolean expireInAWeek(@Param(name = "key") int key) {
      return keyspace.setKeys().expire(new Item(hash(key)), 7 * 86_400_000L);
    }

    @Operation
    public void flush() {
      keyspace.clear();
    }

    /** Does what a save does while the others run. Nobody is to see it. */
    @Operation
    public void save() {
      keyspace.writeAll(Journal.NONE);
      keyspace.all().forEach(filter -> filter.snapshot(Map.of()));
      keyspace.dropExpired();
    }
  }

  /** What keys of SET must be like. */
  public static final class ExactKeys {
    private final Set<Integer> set = new HashSet<>();

    public ExactKeys() {}

    public boolean setForAnHour(int key) {
      return set.add(key);
    }

    public boolean setForADay(int key) {
      return set.add(key);
    }

    public boolean exists(int key) {
      return set.contains(key);
    }

    public boolean delete(int key) {
      return set.remove(key);
    }

    public boolean expireInAWeek(int key) {
      return set.contains(key);
    }

    public void flush() {
      set.clear();
    }

    public void save() {}
  }

  /** A filter that the first item creates. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static final class Filter {
    private static final FilterDefinition SMALL =
        new FilterDefinition(1e-9, 1000, false, 0, Window.NONE, FilterKind.RECENCY, 0, 0, 0);

    /** Other items, without which a resized filter would soon drop the one that it replaces. */
    private static final long[] OTHERS = LongStream.range(100, 200).map(Long::reverse).toArray();

    private final Keyspace keyspace = keyspace();

    public Filter() {}

    @Operation
    public boolean add(@Param(name = "key") int key) {
      ServedFilter filter = keyspace.findOrCreate("f", SMALL);
      if (filter.admitted() == 0) {
        filter.admitAll(Items.of(OTHERS), new long[2], Journal.NONE);
      }
      return filter.admitAll(Items.of(hash(key)), new long[1], Journal.NONE) == 1;
    }

    @Operation
    public boolean exists(@Param(name = "key") int key) {
      ServedFilter filter = keyspace.find("f");
      return filter != null && filter.contains(new Item(hash(key)));
    }

    @Operation
    public boolean delete() {
      ServedFilter filter = keyspace.find("f");
      return filter != null && keyspace.delete(filter);
    }

    @Operation
    public void flush() {
      keyspace.clear();
    }

    /** Doubles the filter, unless it has changed too often. */
    @Operation
    public void resize() {
      synchronized (this) { // a second resize would replace a filter of few items, without OTHERS
        ServedFilter filter = keyspace.find("f");
        if (filter != null && filter.filters() == 1) {
          FilterDefinition now = filter.definition();
          keyspace.resize(filter, now.changedTo(1e-9, 2 * now.capacity(), 0, Window.NONE));
        }
      }
    }

    @Operation
    public boolean save(@Param(name = "key") int key) {
      ServedFilter filter = keyspace.find("f");
      return filter != null
          && keyspace.restore("f", filter.snapshot(Map.of())).mightContain(hash(key));
    }
  }

  /** What a filter must be like. */
  public static final class ExactFilter {
    private final Set<Integer> added = new HashSet<>();
    private boolean exists;

    public ExactFilter() {}

    public boolean add(int key) {
      exists = true;
      return added.add(key);
    }

    public boolean exists(int key) {
      return added.contains(key);
    }

    public boolean delete() {
      boolean was = exists;
      flush();
      return was;
    }

    public void flush() {
      exists = false;
      added.clear();
    }

    public void resize() {}

    public boolean save(int key) {
      return added.contains(key);
    }
  }
}
