package dev.unseen.filter.engine;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do at once to a sharded filter, some order of their calls one after the other
 * gives the same answers: Lincheck runs small programs on it again and again, and compares with a
 * set.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:3")
public class ShardedFilterOrderTest {
  private final DuplicateFilter filter =
      ShardedFilter.of(FilterSpec.of(FilterKind.RECENCY, ShardedFilter.SHARDS * 64L));

  /** A filter that is empty, for each run of Lincheck. */
  public ShardedFilterOrderTest() {}

  /** Few keys, and room for all: the filter is exact. */
  @Operation
  public boolean admit(@Param(name = "key") int key) {
    return filter.admit(key);
  }

  /** Changes nothing. */
  @Operation
  public boolean mightContain(@Param(name = "key") int key) {
    return filter.mightContain(key);
  }

  /** What it is to be like. */
  public static final class Exact {
    private final Set<Integer> seen = new HashSet<>();

    /** Empty. */
    public Exact() {}

    /** Whether it is new. */
    public boolean admit(int key) {
      return seen.add(key);
    }

    /** Whether it is here. */
    public boolean mightContain(int key) {
      return seen.contains(key);
    }
  }

  @Test
  void some_order_explains_what_threads_see() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(1000)
        .threads(3)
        .actorsPerThread(4)
        .sequentialSpecification(Exact.class)
        .check(ShardedFilterOrderTest.class);
  }
}
