package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import dev.unseen.commands.IoMessages;
import dev.unseen.io.KeyReader;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the lines of standard input to a topic, which the application then reads like any other. A
 * run that is killed and started again with the same input repeats lines, which are then
 * duplicates.
 */
final class StandardInput implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private static final long MAX_BLOCK_MILLIS = 60_000; // as Kafka has it
  private static final long DELIVERY_MILLIS = 120_000; // as Kafka has it

  private final KafkaProducer<byte[], byte[]> producer;
  private volatile boolean ended;
  private volatile Exception failure;

  private StandardInput(KafkaProducer<byte[], byte[]> producer) {
    this.producer = producer;
  }

  /** Begins to read. */
  static StandardInput open(TopicOptions options) {
    Map<String, Object> config = new HashMap<>();
    options.client().forEach((name, value) -> config.put(name.toString(), value));
    config.put("linger.ms", 5);
    // One request at a time. If two requests go to a topic that was just created, the second can
    // arrive first, and the lines of the first are then rejected until they expire (KAFKA-15591).
    config.put("max.in.flight.requests.per.connection", 1);
    // Lines wait for brokers as long as the command does.
    long patience = Math.min(Integer.MAX_VALUE, options.patience().toMillis());
    config.putIfAbsent("max.block.ms", Math.max(MAX_BLOCK_MILLIS, patience));
    config.putIfAbsent("delivery.timeout.ms", (int) Math.max(DELIVERY_MILLIS, patience));
    StandardInput input =
        new StandardInput(
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    Thread thread = new Thread(() -> input.feed(options.topics().source()), "stdin");
    thread.setDaemon(true); // a read cannot be interrupted
    thread.start();
    return input;
  }

  private void feed(String topic) {
    try (KeyReader lines =
        KeyReader.of(
            new FileInputStream(FileDescriptor.in),
            "standard input",
            RecordFormat.LINES,
            RecordSpec.WHOLE_RECORDS)) {
      while (lines.next()) {
        byte[] line =
            Arrays.copyOfRange(lines.buffer(), lines.offset(), lines.offset() + lines.length());
        Future<RecordMetadata> unused =
            producer.send(new ProducerRecord<>(topic, line), (sent, e) -> failed(e));
      }
      producer.flush();
      ended = true;
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Exception e) {
    if (e != null) {
      failure = e;
    }
  }

  /** Returns whether all lines are in the topic. */
  boolean hasEnded() throws CliException {
    Exception found = failure;
    if (found != null) {
      throw CliException.inputOrOutput(
          "standard input cannot be passed on: " + IoMessages.innermost(found), found);
    }
    return ended;
  }

  @Override
  public void close() {
    producer.close(CLOSE); // the lines that matter were flushed before
  }
}
