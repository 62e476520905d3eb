package dev.unseen.flink.job;

import dev.unseen.commands.OnError;
import dev.unseen.io.InputException;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/** Does with records that cannot be used what the user has chosen, and counts them. */
final class BadRecords extends RichFilterFunction<JobRecord> {
  private static final long serialVersionUID = 1;

  /** The name under which those that were left out or passed are counted. */
  static final String COUNT = "unusable";

  private final OnError onError;
  private transient LongCounter count;

  BadRecords(OnError onError) {
    this.onError = onError;
  }

  @Override
  public void open(OpenContext context) {
    count = new LongCounter();
    getRuntimeContext().addAccumulator(COUNT, count);
    getRuntimeContext().getMetricGroup().gauge(COUNT, () -> count.getLocalValuePrimitive());
  }

  @Override
  public boolean filter(JobRecord record) throws InputException {
    if (record.trouble == null) {
      return true;
    }
    if (onError == OnError.FAIL) {
      throw new InputException(
          record.trouble + "; --on-error skip leaves such records out, pass lets them through");
    }
    count.add(1);
    return onError == OnError.PASS;
  }
}
