package dev.unseen.kafka;

import static dev.unseen.Memory.MiB;

import dev.unseen.filter.Window;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;

public class ClickTopology {
  static Topology build() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("clicks", Consumed.with(Serdes.String(), Serdes.String()))
        .process(
            Unseen.deduplicate((String id, String click) -> id)
                .memory(MiB(256)) // of all partitions together
                .maxFalsePositiveRate(1e-4)
                .window(Window.time(Duration.ofHours(24))))
        .to("clicks-once");
    return builder.build();
  }

  public static void main(String[] args) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "clicks-once");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    KafkaStreams streams = new KafkaStreams(build(), config);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
  }
}
