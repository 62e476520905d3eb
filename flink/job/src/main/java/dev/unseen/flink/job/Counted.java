package dev.unseen.flink.job;

import dev.unseen.io.InputException;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/** Lets all records pass, and counts them for the summary at the end. */
class Counted extends RichFilterFunction<JobRecord> {
  private static final long serialVersionUID = 1;

  private final String name;
  transient LongCounter count;

  Counted(String name) {
    this.name = name;
  }

  @Override
  public void open(OpenContext context) {
    count = new LongCounter();
    getRuntimeContext().addAccumulator(name, count);
  }

  @Override
  public boolean filter(JobRecord record) throws InputException {
    count.add(1);
    return true;
  }
}
