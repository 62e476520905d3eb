package dev.unseen.flink.job;

import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A Kafka topic. Messages keep their key, headers and timestamp. With checkpoints they are written
 * in transactions, so that each is written once; without, a job that fails may have written some.
 */
record TopicOutput(Brokers brokers, String topic) implements JobOutput {
  /** The longest transaction that brokers allow by default. */
  private static final int TRANSACTION_MILLIS = 15 * 60 * 1000;

  @Override
  public void write(DataStream<JobRecord> records, String uid) {
    boolean checkpoints =
        records.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled();
    records
        .sinkTo(
            KafkaSink.<JobRecord>builder()
                .setKafkaProducerConfig(brokers.settings())
                .setProperty(
                    ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Integer.toString(TRANSACTION_MILLIS))
                .setBootstrapServers(brokers.servers())
                .setDeliveryGuarantee(
                    checkpoints ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
                .setTransactionalIdPrefix("unseen-" + topic + "-" + uid)
                .setRecordSerializer(serializer(topic))
                .build())
        .uid(uid)
        .name(uid);
  }

  private static KafkaRecordSerializationSchema<JobRecord> serializer(String topic) {
    return (record, context, timestamp) ->
        new ProducerRecord<>(
            topic,
            null,
            record.messageTime,
            record.messageKey,
            record.bytes,
            Headers.unpack(record.headers));
  }
}
