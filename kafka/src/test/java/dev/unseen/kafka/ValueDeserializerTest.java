package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values in formats that a deserializer of the user reads. */
class ValueDeserializerTest {
  private static final String SCHEMA =
      "{'type':'record','name':'Order','fields':[{'name':'id','type':'long'},{'name':'note','type':['null','string']},{'name':'customer','type':{'type':'record','name':'Customer','fields':[{'name':'name','type':'string'}]}}]}"
          .replace('\'', '"');

  private final TestKafka kafka = TestKafka.shared();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private int run(String from, String to, Class<?> deserializer, String... more)
      throws IOException {
    Path config = directory.resolve("client.properties");
    Files.writeString(config, "order.schema=" + SCHEMA + "\n");
    List<String> args = new ArrayList<>(List.of("-b", kafka.address(), "--from", from, "--to", to));
    args.addAll(List.of("--exit-at-end", "--state-dir", directory.toString(), "-m", "1M"));
    args.addAll(List.of("--value-deserializer", deserializer.getName()));
    args.addAll(List.of("--config", config.toString()));
    args.addAll(List.of(more));
    return new UnseenKafka()
        .run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            args.toArray(String[]::new));
  }

  private static byte[] avro(long id, String note, String name) throws IOException {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    GenericRecord customer = new GenericData.Record(schema.getField("customer").schema());
    customer.put("name", name);
    GenericRecord order = new GenericData.Record(schema);
    order.put("id", id);
    order.put("note", note);
    order.put("customer", customer);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(order, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private void send(String topic, byte[]... values) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte[] value : values) {
      records.add(new ProducerRecord<>(topic, null, value)); // without a record key
    }
    kafka.sendAll(records);
  }

  private List<byte[]> values(String topic) throws Exception {
    return kafka.read(topic).stream().map(ConsumerRecord::value).toList();
  }

  @Test
  void avro_records_are_compared_by_their_fields_and_written_as_they_came() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    String rejects = kafka.topic("rejects", 1);
    byte[] first = avro(7, "a \"note\"\n", "Ann");
    byte[] other = avro(7, null, "Bob");
    byte[] broken = {1};
    send(in, first, avro(7, "another note", "ANN"), other, broken);

    assertThat(
            run(
                in,
                to,
                OrderDeserializer.class,
                "-k",
                "id,customer.name",
                "-i",
                "--rejects-to",
                rejects))
        .as(err.toString())
        .isZero();

    assertThat(values(to)).containsExactly(first, other);
    assertThat(kafka.read(rejects))
        .satisfiesExactly(
            record ->
                assertThat(new String(record.headers().lastHeader("unseen.reason").value(), UTF_8))
                    .startsWith("the value cannot be deserialized: "));
  }

  @Test
  void protobuf_messages_are_compared_by_their_fields() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    byte[] zero = message(0, null); // an id that is 0 is not written, and is a key all the same
    byte[] named = message(1, "é\"\\\u0001");
    send(in, zero, named, message(0, null), message(1, "é\"\\\u0001"), message(1, "f"));

    assertThat(
            run(in, to, MessageDeserializer.class, "-k", "id,customer.name", "--missing-as-null"))
        .as(err.toString())
        .isZero();

    assertThat(values(to)).containsExactly(zero, named, message(1, "f"));
  }

  @Test
  void a_registry_that_does_not_answer_ends_the_run_and_rejects_no_record() throws Exception {
    String in = kafka.topic("in", 1);
    send(in, avro(1, null, "Ann"));
    String to = kafka.topic("to", 1);
    assertThat(run(in, to, OutageDeserializer.class, "-k", "id", "--on-error", "skip"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("registry:8081 refused");

    assertThat(run(in, to, OrderDeserializer.class, "-k", "id")).as(err.toString()).isZero();
    assertThat(values(to)).hasSize(1);
  }

  @Test
  void deserializers_that_cannot_be_used_are_reported_before_anything_runs() throws Exception {
    String in = kafka.topic("in", 1);
    String to = kafka.topic("to", 1);
    assertThat(run(in, to, NotOne.class, "-k", "id")).isEqualTo(2);
    assertThat(run(in, to, StrictDeserializer.class, "-k", "id")).isEqualTo(2);
    assertThat(run(in, to, OrderDeserializer.class)).isEqualTo(2);
    assertThat(err.toString())
        .contains("NotOne' is not a org.apache.kafka.common.serialization.Deserializer")
        .contains("schema.registry.url is missing; correct them in --config")
        .contains("--value-deserializer is for fields of the value, and the key is the record-key");
    assertThat(
            new UnseenKafka()
                .run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(err, true),
                    "-b %s --from %s --to %s -k id --value-deserializer no.Such"
                        .formatted(kafka.address(), in, to)
                        .split(" ")))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("'no.Such' is not on the class path")
        .contains("UNSEEN_EXTRA_CLASSPATH='/path/to/jars/*'");
  }

  private static Descriptor descriptor() {
    FieldDescriptorProto.Builder name =
        FieldDescriptorProto.newBuilder()
            .setName("name")
            .setNumber(1)
            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
            .setType(FieldDescriptorProto.Type.TYPE_STRING);
    FieldDescriptorProto.Builder id =
        FieldDescriptorProto.newBuilder()
            .setName("id")
            .setNumber(1)
            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
            .setType(FieldDescriptorProto.Type.TYPE_INT64);
    FieldDescriptorProto.Builder customer =
        FieldDescriptorProto.newBuilder()
            .setName("customer")
            .setNumber(2)
            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
            .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
            .setTypeName("Customer");
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("order.proto")
            .setSyntax("proto3")
            .addMessageType(DescriptorProto.newBuilder().setName("Customer").addField(name))
            .addMessageType(
                DescriptorProto.newBuilder().setName("Order").addField(id).addField(customer))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("Order");
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] message(long id, String name) {
    Descriptor order = descriptor();
    DynamicMessage.Builder message =
        DynamicMessage.newBuilder(order).setField(order.findFieldByName("id"), id);
    if (name != null) {
      Descriptor customer = order.findFieldByName("customer").getMessageType();
      message.setField(
          order.findFieldByName("customer"),
          DynamicMessage.newBuilder(customer)
              .setField(customer.findFieldByName("name"), name)
              .build());
    }
    return message.build().toByteArray();
  }

  /** Reads orders of Avro, with a schema from the settings of the client. */
  public static final class OrderDeserializer implements Deserializer<GenericRecord> {
    private Schema schema;

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
      schema = new Schema.Parser().parse((String) configs.get("order.schema"));
    }

    @Override
    public GenericRecord deserialize(String topic, byte[] data) {
      try {
        return new GenericDatumReader<GenericRecord>(schema)
            .read(null, DecoderFactory.get().binaryDecoder(data, null));
      } catch (IOException | RuntimeException e) {
        throw new SerializationException("not an order", e);
      }
    }
  }

  /** Reads orders of Protobuf. */
  public static final class MessageDeserializer implements Deserializer<DynamicMessage> {
    private final Descriptor order = descriptor();

    @Override
    public DynamicMessage deserialize(String topic, byte[] data) {
      try {
        return DynamicMessage.parseFrom(order, data);
      } catch (InvalidProtocolBufferException e) {
        throw new SerializationException(e);
      }
    }
  }

  /** Has a registry that does not answer. */
  public static final class OutageDeserializer implements Deserializer<GenericRecord> {
    @Override
    public GenericRecord deserialize(String topic, byte[] data) {
      throw new SerializationException("no schema", new ConnectException("registry:8081 refused"));
    }
  }

  /** Rejects its settings. */
  public static final class StrictDeserializer implements Deserializer<GenericRecord> {
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
      throw new ConfigException("schema.registry.url is missing");
    }

    @Override
    public GenericRecord deserialize(String topic, byte[] data) {
      throw new UnsupportedOperationException();
    }
  }

  /** Is no deserializer. */
  public static final class NotOne {}
}
