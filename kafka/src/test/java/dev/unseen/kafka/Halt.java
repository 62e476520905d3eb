package dev.unseen.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Ends a process as a crash does, when something has happened for the nth time since all its
 * applications have received records: brokers would wait long for one that was still joining its
 * group. The process is started with {@code -Dhalt.at=KEY_WRITTEN -Dhalt.after=100
 * -Dhalt.applications=2}.
 */
public final class Halt
    implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {
  /** A step of the application. */
  enum Point {
    /** A key is handed to the producer. */
    KEY_SENT,
    /** The broker has a key. */
    KEY_WRITTEN,
    /** The broker has all keys of an application, and the output of the last one is not sent. */
    OUTPUT_MISSING,
    /** The broker has an output. */
    OUTPUT_WRITTEN,
    /** The offsets are committed. */
    COMMITTED
  }

  static final int EXIT = 99;

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String AT = System.getProperty("halt.at", "");
  private static final int AFTER = Integer.getInteger("halt.after", 0);
  private static final int APPLICATIONS = Integer.getInteger("halt.applications", 1);
  private static final AtomicInteger CONSUMING = new AtomicInteger();

  private final AtomicInteger keysUnderWay = new AtomicInteger(); // of one producer
  private boolean consumes; // this is a consumer, and has received records

  private void reached(Point point) {
    if (point.name().equals(AT)
        && CONSUMING.get() == APPLICATIONS
        && COUNT.incrementAndGet() >= AFTER) {
      while (point == Point.OUTPUT_MISSING && keysUnderWay.get() > 0) {
        Thread.onSpinWait();
      }
      Runtime.getRuntime().halt(EXIT);
    }
  }

  private static boolean isChangelog(String topic) {
    return topic.endsWith("-changelog");
  }

  @Override
  public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
    if (isChangelog(record.topic())) {
      keysUnderWay.incrementAndGet();
      reached(Point.KEY_SENT);
    } else {
      reached(Point.OUTPUT_MISSING);
    }
    return record;
  }

  @Override
  public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
    boolean key = isChangelog(metadata.topic());
    if (key) {
      keysUnderWay.decrementAndGet();
    }
    if (exception == null) {
      reached(key ? Point.KEY_WRITTEN : Point.OUTPUT_WRITTEN);
    }
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    if (!consumes && !records.isEmpty()) {
      consumes = true;
      CONSUMING.incrementAndGet();
    }
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (!offsets.isEmpty()) {
      reached(Point.COMMITTED);
    }
  }

  @Override
  public void close() {}

  @Override
  public void configure(Map<String, ?> configs) {}
}
