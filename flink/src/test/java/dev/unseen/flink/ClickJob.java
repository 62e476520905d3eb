package dev.unseen.flink;

import static dev.unseen.Memory.MiB;

import dev.unseen.filter.Window;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

public class ClickJob {
  public static class Click { // a POJO, as Flink likes them
    public String id;
    public long millis;
  }

  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    DataStream<Click> clicks =
        env.fromSequence(0, 999)
            .map(ClickJob::click) // in place of your source
            .returns(Click.class)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Click>forBoundedOutOfOrderness(Duration.ofMinutes(5))
                    .withTimestampAssigner((click, before) -> click.millis));
    SingleOutputStreamOperator<Click> once =
        UnseenDeduplication.of((Click click) -> click.id)
            .memory(MiB(64)) // of all tasks together
            .maxFalsePositiveRate(1e-4)
            .window(Window.time(Duration.ofHours(24)))
            .eventTime()
            .uid("clicks-once")
            .applyTo(clicks);
    once.map(click -> click.id).print();
    UnseenDeduplication.duplicatesOf(once).map(click -> click.id).print("again");
    env.execute("clicks");
  }

  private static Click click(long number) {
    Click click = new Click();
    click.id = "click-" + number % 700;
    click.millis = number * 1000;
    return click;
  }
}
