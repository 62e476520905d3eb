package dev.unseen.filter.engine;

import dev.unseen.bits.Cells;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.PositionsFilter;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * SBF, stable Bloom filter (Deng and Rafiei, <i>Approximately detecting duplicates for streaming
 * data using stable Bloom filters</i>, SIGMOD 2006).
 *
 * <pre>
 * for each element e:
 *   H = the K cells of e, among m cells of d bits
 *   if any cell in H is 0: e is DISTINCT, else a DUPLICATE
 *   decrement P cells that are not 0: a random one and its P-1 neighbors
 *   set all cells in H to Max = 2^d - 1
 * </pre>
 *
 * Every element is inserted, duplicates too. In the tables of Bera et al. it is K = 2, d = 1, P =
 * 4.
 */
final class StableFilter extends PositionsFilter {
  final Cells cells;
  private final SplitMix64 random;
  private final int decrements;

  StableFilter(FilterSpec spec) {
    super(spec, spec.hashes(), true);
    this.cells = new Cells(spec.words(), spec.get(Parameter.CELL_BITS));
    this.random = new SplitMix64(spec.seed());
    this.reach = cells.count();
    this.decrements = spec.get(Parameter.DECREMENTS);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    random.state(visitor);
    cells.state(visitor);
  }

  @Override
  public void merge(BatchingFilter other) {
    cells.max(((StableFilter) other).cells);
  }

  @Override
  protected boolean admitAt(long[] at, int from) {
    int k = spec().hashes();
    boolean duplicate = true;
    for (int i = 0; i < k; i++) {
      duplicate &= !cells.isZero(at[from + i]);
    }
    cells.decrement(random.below(reach), decrements);
    insertions++;
    for (int i = 0; i < k; i++) {
      cells.setToMax(at[from + i]);
    }
    return !duplicate;
  }

  @Override
  public boolean mightContain(long hash, long millis) {
    for (int i = 0; i < spec().hashes(); i++) {
      if (cells.isZero(cell(hash, i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected void locate(long hash, long[] at, int from) {
    for (int i = 0; i < spec().hashes(); i++) {
      at[from + i] = cell(hash, i);
    }
  }

  @Override
  protected int locateResetsOf(int insertion, long[] at, int from) {
    at[from] = random.belowAhead(insertion, reach);
    return from + 1;
  }

  @Override
  protected long touch(long cell) {
    return cells.touch(cell);
  }

  private long cell(long hash, int i) {
    return Mix.reduce(Mix.mix(hash + i * Mix.GOLDEN), cells.count());
  }

  @Override
  public double load() {
    return cells.load();
  }

  @Override
  public double estimatedFpr() {
    return Math.pow(cells.load(), spec().hashes());
  }

  @Override
  public double estimatedCardinality() {
    double zeros = Math.max(1 - cells.load(), 0.5 / cells.count());
    return -Math.log(zeros) * cells.count() / spec().hashes();
  }

  @Override
  public long memoryBytes() {
    return cells.memoryBytes();
  }
}
