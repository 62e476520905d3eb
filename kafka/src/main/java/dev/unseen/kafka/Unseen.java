package dev.unseen.kafka;

import org.apache.kafka.streams.kstream.KeyValueMapper;

/**
 * Lets each record of a Kafka stream through once, by its key, in memory that never grows.
 *
 * <pre>{@code
 * KStream<String, Click> once =
 *     clicks.process(
 *         Unseen.deduplicate((String user, Click click) -> click.id())
 *             .memory(MiB(256))                              // of the whole application
 *             .window(Window.time(Duration.ofHours(24))));
 * }</pre>
 */
public final class Unseen {
  private Unseen() {}

  /**
   * Starts with what makes two records duplicates: their keys are equal. The key is made from the
   * key and the value of a record: text, bytes, whole numbers, UUIDs, instants or enums.
   *
   * <p>Only records of one partition are compared, as in all of Kafka Streams. Duplicates reach the
   * same partition if the key of the record decides that they are duplicates; otherwise repartition
   * the stream by that key first.
   */
  public static <K, V> TopicDeduplication<K, V> deduplicate(
      KeyValueMapper<? super K, ? super V, ?> keyOf) {
    return new TopicDeduplication<>(keyOf);
  }
}
