package dev.unseen.flink.job;

import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/**
 * How far a job has read a topic: by partition, the offset after the last message. Flink reads it
 * while a task changes it.
 */
final class ReadOffsets implements Accumulator<JobRecord, ConcurrentHashMap<Integer, Long>> {
  private static final long serialVersionUID = 2;

  /** The name under which the result of a job has it. */
  static final String NAME = "offsets";

  private final ConcurrentHashMap<Integer, Long> ends = new ConcurrentHashMap<>();

  @Override
  public void add(JobRecord message) {
    ends.merge(message.partition, message.offset + 1, Math::max);
  }

  @Override
  public ConcurrentHashMap<Integer, Long> getLocalValue() {
    return ends;
  }

  @Override
  public void resetLocal() {
    ends.clear();
  }

  @Override
  public void merge(Accumulator<JobRecord, ConcurrentHashMap<Integer, Long>> other) {
    other.getLocalValue().forEach((partition, end) -> ends.merge(partition, end, Math::max));
  }

  @Override
  public ReadOffsets clone() {
    ReadOffsets copy = new ReadOffsets();
    copy.merge(this);
    return copy;
  }

  /** Passes all messages on, and records their offsets. */
  static final class Recording extends RichFilterFunction<JobRecord> {
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
