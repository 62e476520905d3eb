package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.MessageOrBuilder;
import dev.unseen.commands.IoMessages;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Reads values with a deserializer of the user, and shows them as JSON, in which fields are found
 * as in any JSON value. Only one thread may use it at a time.
 */
final class ValueDecoder implements AutoCloseable {
  private static final String PROTOBUF = "com.google.protobuf.MessageOrBuilder";

  /** Those whose text is JSON. They need not be on the class path. */
  private static final List<String> JSON_TEXTS =
      List.of(
          "org.apache.avro.generic.IndexedRecord",
          "com.fasterxml.jackson.core.TreeNode",
          "java.lang.CharSequence");

  private final Deserializer<?> deserializer;

  private ValueDecoder(Deserializer<?> deserializer) {
    this.deserializer = deserializer;
  }

  /**
   * Creates the deserializer.
   *
   * @param name of its class
   * @param client the settings of clients, in which its own are
   * @throws IllegalArgumentException if it cannot be created
   */
  static ValueDecoder of(String name, Properties client) {
    Map<String, Object> config = new HashMap<>();
    client.forEach((key, value) -> config.put(key.toString(), value));
    try {
      Object created = Class.forName(name).getDeclaredConstructor().newInstance();
      if (!(created instanceof Deserializer<?> deserializer)) {
        throw new IllegalArgumentException(
            "--value-deserializer '%s' is not a %s; name a class that is"
                .formatted(name, Deserializer.class.getName()));
      }
      deserializer.configure(config, false);
      return new ValueDecoder(deserializer);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "--value-deserializer '%s' is not on the class path; correct the name, or add its jars with UNSEEN_EXTRA_CLASSPATH='/path/to/jars/*'"
              .formatted(name),
          e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException(
          "--value-deserializer '%s' cannot be created: %s; choose one with a constructor without parameters, and add the jars that it needs with UNSEEN_EXTRA_CLASSPATH"
              .formatted(name, IoMessages.innermost(e)),
          e);
    } catch (KafkaException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--value-deserializer '%s' rejects its settings: %s; correct them in --config"
              .formatted(name, IoMessages.innermost(e)),
          e);
    }
  }

  /**
   * Returns a value as JSON.
   *
   * @throws UnreadableException if the value cannot be read
   */
  byte[] toJson(String topic, Record<?, byte[]> record) throws UnreadableException {
    Object value;
    try {
      value = deserializer.deserialize(topic, record.headers(), record.value());
    } catch (RuntimeException e) {
      if (isOutage(e)) { // which says nothing about the value
        throw e;
      }
      throw new UnreadableException(
          "the value cannot be deserialized: " + IoMessages.innermost(e), e);
    }
    if (value == null) {
      throw new UnreadableException("the value was deserialized as null", null);
    }
    if (is(value.getClass(), PROTOBUF)) {
      return ProtobufJson.of((MessageOrBuilder) value).getBytes(UTF_8);
    }
    if (JSON_TEXTS.stream().anyMatch(type -> is(value.getClass(), type))) {
      return value.toString().getBytes(UTF_8);
    }
    throw new UnreadableException(
        "the deserializer returned a %s; fields are found in Avro records, Protobuf messages, Jackson's nodes and texts that are JSON"
            .formatted(value.getClass().getName()),
        null);
  }

  /** Returns whether a class has this supertype, by its name. */
  private static boolean is(Class<?> type, String name) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(name) || is(type.getSuperclass(), name)) {
      return true;
    }
    for (Class<?> each : type.getInterfaces()) {
      if (is(each, name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a registry did not answer. */
  private static boolean isOutage(Throwable failure) {
    return Stream.of(
            SocketException.class,
            InterruptedIOException.class,
            UnknownHostException.class,
            RetriableException.class)
        .anyMatch(type -> IoMessages.cause(failure, type).isPresent());
  }

  @Override
  public void close() {
    deserializer.close();
  }

  /** A value that the deserializer cannot read. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
