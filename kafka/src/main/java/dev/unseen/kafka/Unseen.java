package dev.unseen.kafka;

import dev.unseen.Key;
import dev.unseen.Keys;
import java.util.Objects;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.processor.api.Record;

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
   * key and the value of a record: text, bytes, whole numbers, UUIDs, instants or enums. All keys
   * have to be of one of these types. The changelog contains which, and a stream with another one
   * is rejected at its first record.
   *
   * <p>Only records of one partition are compared, as in all of Kafka Streams. Duplicates reach the
   * same partition if the key of the record decides that they are duplicates; otherwise repartition
   * the stream by that key first.
   */
  public static <K, V> TopicDeduplication<K, V> deduplicate(
      KeyValueMapper<? super K, ? super V, ?> keyOf) {
    return new TopicDeduplication<>(
        Objects.requireNonNull(keyOf, "keyOf is null; name what returns a record's key"), null);
  }

  /**
   * Starts with what makes two records duplicates, as one of {@link Keys}: for keys of several
   * fields, of your own classes, or with parts that may be null. A stream whose changelog has other
   * keys is rejected when it starts.
   *
   * <pre>{@code
   * Unseen.<String, Order>deduplicateBy(
   *     Keys.composite(
   *         Keys.utf8(order -> order.key()), Keys.longs(order -> order.value().number())))
   * }</pre>
   *
   * @param key the key of a record of the stream
   */
  public static <K, V> TopicDeduplication<K, V> deduplicateBy(Key<? super Record<K, V>> key) {
    return new TopicDeduplication<>(
        null, Objects.requireNonNull(key, "key is null; Keys has the usual ones"));
  }
}
