package dev.unseen.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Where records of the job go: directories, or topics of Kafka. */
final class JobSinks {
  /** The longest transaction that brokers allow by default. */
  private static final int TRANSACTION_MILLIS = 15 * 60 * 1000;

  private JobSinks() {}

  /** Returns the URI of a place; a name without a scheme is that of a local file. */
  static String uri(String name) {
    return name.contains("://")
        ? name
        : java.nio.file.Path.of(name).toAbsolutePath().toUri().toString();
  }

  /** Returns a directory, into which each task writes its own files. */
  static Sink<JobRecord> directory(String name) {
    return FileSink.<JobRecord>forRowFormat(new Path(uri(name)), JobSinks::writeLine)
        .withRollingPolicy(OnCheckpointRollingPolicy.build())
        .build();
  }

  private static void writeLine(JobRecord record, OutputStream out) throws IOException {
    if (record.bytes != null) { // of a message without a value there is nothing to write
      out.write(record.bytes);
      out.write('\n');
    }
  }

  /**
   * Rejects a directory that already contains files: their records would be mixed with those of
   * this run, and may have the same keys.
   *
   * @param option that names it
   * @throws IllegalArgumentException if it is not new
   */
  static void requireNewDirectory(String option, String name) throws IOException {
    Path path = new Path(uri(name));
    FileSystem files = path.getFileSystem();
    if (!files.exists(path)) {
      return;
    }
    if (!files.getFileStatus(path).isDir()) {
      throw new IllegalArgumentException(
          "%s '%s' is a file; name a directory".formatted(option, name));
    }
    if (files.listStatus(path).length > 0) {
      throw new IllegalArgumentException(
          "%s '%s' has files already, and keys that are in them would be written again; empty it, or name another"
              .formatted(option, name));
    }
  }

  /**
   * Returns a topic. Messages keep their key, headers and timestamp. With checkpoints they are
   * written in transactions, so that each is written once; without, a job that fails may have
   * written some.
   *
   * @param client settings of Kafka's clients
   */
  static Sink<JobRecord> topic(String topic, String uid, Properties client, boolean checkpoints) {
    return KafkaSink.<JobRecord>builder()
        .setKafkaProducerConfig(client)
        .setProperty(
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Integer.toString(TRANSACTION_MILLIS))
        .setBootstrapServers(client.getProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG))
        .setDeliveryGuarantee(
            checkpoints ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
        .setTransactionalIdPrefix("unseen-" + topic + "-" + uid)
        .setRecordSerializer((record, context, timestamp) -> message(topic, record))
        .build();
  }

  private static ProducerRecord<byte[], byte[]> message(String topic, JobRecord record) {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < record.headerNames.length; i++) {
      headers.add(record.headerNames[i], record.headerValues[i]);
    }
    return new ProducerRecord<>(
        topic, null, record.messageTime, record.messageKey, record.bytes, headers);
  }
}
