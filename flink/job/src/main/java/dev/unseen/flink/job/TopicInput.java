package dev.unseen.flink.job;

import java.io.IOException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A topic of Kafka, from the offsets that the group has committed, or else from the beginning. It
 * has no end, unless the job is to stop at the messages that are there now.
 */
final class TopicInput implements JobInput {
  private final Brokers brokers;
  private final SourceTopic topic;
  private final KafkaSource<JobRecord> source;

  @SuppressWarnings("deprecation") // Kafka has a newer type, which the connector does not take yet
  TopicInput(Brokers brokers, SourceTopic topic, RecordTexts records) {
    this.brokers = brokers;
    this.topic = topic;
    KafkaSourceBuilder<JobRecord> builder =
        KafkaSource.<JobRecord>builder()
            .setProperties(brokers.settings())
            .setBootstrapServers(brokers.servers())
            .setTopics(topic.name())
            .setGroupId(topic.group())
            .setStartingOffsets(
                OffsetsInitializer.committedOffsets(
                    org.apache.kafka.clients.consumer.OffsetResetStrategy.EARLIEST))
            .setDeserializer(new TopicRecords(topic.key(), records));
    if (topic.exitAtEnd()) {
      builder.setBounded(OffsetsInitializer.latest());
    }
    this.source = builder.build();
  }

  @Override
  public DataStream<JobRecord> read(StreamExecutionEnvironment env) {
    return env.fromSource(
            source,
            WatermarkStrategy.<JobRecord>forMonotonousTimestamps()
                .withTimestampAssigner((record, before) -> record.time),
            "topic",
            JobRecord.TYPE)
        .uid("topic")
        .filter(new ReadOffsets.Noted())
        .uid("offsets")
        .name("offsets");
  }

  /**
   * Commits what was read. Flink does so after each checkpoint, but without waiting for the answer,
   * so that the last time can be lost when the job ends; and without checkpoints it never does.
   */
  @Override
  public void finish(JobExecutionResult result) throws IOException, InterruptedException {
    long[] ends = result.getAccumulatorResult(ReadOffsets.NAME);
    if (ends != null) {
      brokers.commit(topic.group(), topic.name(), ends);
    }
  }

  /** Every message has a time. */
  @Override
  public boolean hasTimes() {
    return true;
  }
}
