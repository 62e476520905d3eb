package dev.unseen.flink.job;

import dev.unseen.commands.OnError;
import dev.unseen.io.InputException;
import org.apache.flink.api.common.functions.OpenContext;

/** Does with records that cannot be used what the user has chosen, and counts them. */
final class BadRecords extends Counted {
  private static final long serialVersionUID = 2;

  /** The name under which those that were left out or passed are counted. */
  static final String COUNT = "unusable";

  private final OnError onError;

  BadRecords(OnError onError) {
    super(COUNT);
    this.onError = onError;
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
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
