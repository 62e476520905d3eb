package dev.unseen;

import dev.unseen.filter.engine.ShardedFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do at once with a concurrent gate, some order of their calls, one after the
 * other, gives the same answers: Lincheck runs small programs on it many times and compares with a
 * set. There are few keys and room for all, so the filter is exact.
 */
class GateOrderTest {
  private static final StressOptions OPTIONS =
      new StressOptions()
          .iterations(20)
          .invocationsPerIteration(40)
          .threads(3)
          .actorsPerThread(3)
          .actorsBefore(2)
          .actorsAfter(2)
          .minimizeFailedScenario(false);

  private static Gate gate() {
    return Gate.builder().memory(ShardedFilter.SHARDS * 64L).seed(1).concurrent().build();
  }

  @Test
  void some_order_explains_admit_clear_merge_report_and_save() {
    OPTIONS.sequentialSpecification(ExactKeys.class).check(Keys.class);
  }

  @Test
  void some_order_explains_reserve_commit_and_rollback() {
    OPTIONS.sequentialSpecification(ExactReservations.class).check(Reservations.class);
  }

  /** A gate, and what threads do with its keys. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static final class Keys {
    private final Gate gate = gate();

    /** Creates an empty gate, for each run of Lincheck. */
    public Keys() {}

    @Operation
    public boolean admit(@Param(name = "key") int key) {
      return gate.admit(key);
    }

    @Operation
    public boolean mightContain(@Param(name = "key") int key) {
      return gate.mightContain(key);
    }

    @Operation
    public void clear() {
      gate.clear();
    }

    @Operation
    public void merge(@Param(name = "key") int key) {
      Gate other = gate();
      other.admit(key);
      gate.merge(other);
    }

    /** Runs beside the others. Its counts are of different moments unless no thread is at work. */
    @Operation
    public boolean report() {
      Report report = gate.report();
      return report.admitted() <= report.records();
    }

    @Operation
    public boolean save(@Param(name = "key") int key) throws IOException {
      ByteArrayOutputStream saved = new ByteArrayOutputStream();
      gate.save(saved, Map.of());
      ByteArrayInputStream in = new ByteArrayInputStream(saved.toByteArray());
      return Gate.builder().load(in).mightContain(key);
    }
  }

  /** What the gate must be like. */
  public static final class ExactKeys {
    private final Set<Integer> seen = new HashSet<>();

    public ExactKeys() {}

    public boolean admit(int key) {
      return seen.add(key);
    }

    public boolean mightContain(int key) {
      return seen.contains(key);
    }

    public void clear() {
      seen.clear();
    }

    public void merge(int key) {
      seen.add(key);
    }

    public boolean report() {
      return true;
    }

    public boolean save(int key) {
      return seen.contains(key);
    }
  }

  /** A gate, and what threads do with its reservations. One thread at a time ends reservations. */
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  public static final class Reservations {
    private final Gate gate = gate();
    private final Map<Integer, Reservation> held = new ConcurrentHashMap<>();

    /** How many calls may have been granted a reservation that is not yet in {@link #held}. */
    private final AtomicInteger reserving = new AtomicInteger();

    public Reservations() {}

    @Operation
    public String reserve(@Param(name = "key") int key) {
      reserving.incrementAndGet();
      try {
        Reservation reservation = gate.reserve(key);
        if (reservation.status() == Reservation.Status.GRANTED) {
          held.put(key, reservation);
        }
        return reservation.status().name();
      } finally {
        reserving.decrementAndGet();
      }
    }

    @Operation(nonParallelGroup = "ends")
    public boolean commit(@Param(name = "key") int key) {
      Reservation reservation = held(key);
      return reservation != null && reservation.commit();
    }

    @Operation(nonParallelGroup = "ends")
    public void rollback(@Param(name = "key") int key) {
      Reservation reservation = held(key);
      if (reservation != null) {
        reservation.rollback();
      }
    }

    /**
     * Returns the newest reservation of a key. One granted before this call is in the map before it
     * is looked for, or the call would end an older one, which other threads can see.
     */
    private Reservation held(int key) {
      while (reserving.get() > 0) {
        Thread.onSpinWait();
      }
      return held.get(key);
    }
  }

  /** What reservations must be like. */
  public static final class ExactReservations {
    private final Set<Integer> seen = new HashSet<>();
    private final Set<Integer> held = new HashSet<>();

    public ExactReservations() {}

    public String reserve(int key) {
      if (seen.contains(key)) {
        return "DUPLICATE";
      }
      return held.add(key) ? "GRANTED" : "IN_FLIGHT";
    }

    public boolean commit(int key) {
      return held.remove(key) && seen.add(key);
    }

    public void rollback(int key) {
      held.remove(key);
    }
  }
}
