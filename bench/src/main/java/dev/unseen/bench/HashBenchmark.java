package dev.unseen.bench;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Compares our XXH3 with that of hash4j, for keys of different lengths at changing places. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HashBenchmark {
  private static final int SPREAD = 1 << 12; // in the L1 cache

  @Param({"8", "16", "32", "64", "256", "4096", "65536"})
  public int length;

  private byte[] bytes;
  private int at;
  private final Hash64 ours = HashKind.XXH3.create(1);
  private final Hasher64 hash4j = Hashing.xxh3_64(1);

  @Setup
  public void fill() {
    bytes = new byte[length + SPREAD];
    new Random(1).nextBytes(bytes);
  }

  private int next() {
    at = (at + 61) & (SPREAD - 1);
    return at;
  }

  @Benchmark
  public long unseen() {
    return ours.hash(bytes, next(), length);
  }

  @Benchmark
  public long hash4j() {
    return hash4j.hashBytesToLong(bytes, next(), length);
  }
}
