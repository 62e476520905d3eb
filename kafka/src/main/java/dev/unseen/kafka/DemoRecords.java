package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.commands.CliException;
import dev.unseen.commands.IoMessages;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Produces clicks of which some come again, soon or much later, as producers that retry do. */
final class DemoRecords implements Feed {
  private static final double SHARE_OF_DUPLICATES = 0.3;
  private static final int SOON = 1000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final int count;
  private final Set<String> distinct = new HashSet<>();
  private final Thread thread = new Thread(this::produce, "demo");
  private volatile boolean ended;
  private volatile Exception failure;

  DemoRecords(String address, String topic, int count) {
    this.topic = topic;
    this.count = count;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address, "linger.ms", 5, "batch.size", 1 << 18),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    thread.setDaemon(true);
    thread.start();
  }

  private void produce() {
    try {
      Random random = new Random(1);
      int next = 0;
      for (int i = 0; i < count; i++) {
        boolean again = next > 0 && random.nextDouble() < SHARE_OF_DUPLICATES;
        int number = again ? earlier(random, next) : next++;
        String id = "click-" + number;
        distinct.add(id);
        byte[] value =
            "{\"id\":\"%s\",\"page\":\"/%d\"}".formatted(id, number % 97).getBytes(UTF_8);
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(topic, id.getBytes(UTF_8), value), (sent, e) -> failed(e));
      }
      producer.flush();
      ended = true;
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Exception e) {
    if (e != null) {
      failure = e;
    }
  }

  private static int earlier(Random random, int next) {
    return random.nextBoolean()
        ? random.nextInt(next)
        : next - 1 - random.nextInt(Math.min(SOON, next));
  }

  /** Returns the number of distinct records, when all were produced. */
  int distinct() throws InterruptedException {
    thread.join();
    return distinct.size();
  }

  @Override
  public boolean hasEnded() throws CliException {
    if (failure != null) {
      throw CliException.inputOrOutput(
          "records cannot be produced: " + IoMessages.innermost(failure), failure);
    }
    return ended;
  }

  @Override
  public void close() {
    producer.close();
  }
}
