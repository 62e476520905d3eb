package dev.unseen.flink.job;

import java.util.Arrays;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/**
 * How far a job has read a topic: for each partition the offset after the last message, or 0 if
 * none was read.
 */
final class ReadOffsets implements Accumulator<JobRecord, long[]> {
  private static final long serialVersionUID = 1;

  /** The name under which the result of a job has it. */
  static final String NAME = "offsets";

  private long[] ends = {};

  @Override
  public void add(JobRecord message) {
    raise(message.partition, message.offset + 1);
  }

  private void raise(int partition, long end) {
    if (partition >= ends.length) {
      ends = Arrays.copyOf(ends, partition + 1);
    }
    ends[partition] = Math.max(ends[partition], end);
  }

  @Override
  public long[] getLocalValue() {
    return ends;
  }

  @Override
  public void resetLocal() {
    ends = new long[0];
  }

  @Override
  public void merge(Accumulator<JobRecord, long[]> other) {
    long[] others = other.getLocalValue();
    for (int partition = 0; partition < others.length; partition++) {
      raise(partition, others[partition]);
    }
  }

  @Override
  public ReadOffsets clone() {
    ReadOffsets copy = new ReadOffsets();
    copy.ends = ends.clone();
    return copy;
  }

  /** Passes all messages on, and records their offsets. */
  static final class Noted extends RichFilterFunction<JobRecord> {
    private static final long serialVersionUID = 1;

    private transient ReadOffsets offsets;

    @Override
    public void open(OpenContext context) {
      offsets = new ReadOffsets();
      getRuntimeContext().addAccumulator(NAME, offsets);
    }

    @Override
    public boolean filter(JobRecord message) {
      offsets.add(message);
      return true;
    }
  }
}
