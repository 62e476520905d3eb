package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import dev.unseen.commands.KafkaCluster;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * One way to deduplicate a topic, in a process of its own, with the broker in another. Half of the
 * records are duplicates. Prints a line of CSV.
 *
 * <pre>
 * KafkaBench broker DIRECTORY                      until its input ends
 * KafkaBench produce ADDRESS TOPIC PARTITIONS RECORDS
 * KafkaBench WAY ADDRESS TOPIC PARTITIONS RECORDS DIRECTORY
 * </pre>
 */
public final class KafkaBench {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int VALUE_BYTES = 100;

  private static volatile long cpuAtFirst = -1;
  private static volatile long threadsAtFirst;
  private static volatile long wallAtFirst;

  private final String way;
  private final String address;
  private final String topic;
  private final int partitions;
  private final long records;
  private final Path directory;
  private final String id;

  private KafkaBench(String[] args) {
    way = args[0];
    address = args[1];
    topic = args[2];
    partitions = Integer.parseInt(args[3]);
    records = Long.parseLong(args[4]);
    directory = Path.of(args[5]);
    id = "%s-%d-%d".formatted(way, partitions, records);
  }

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "broker" -> broker(Path.of(args[1]));
      case "produce" -> produce(args[1], args[2], Integer.parseInt(args[3]), Long.parseLong(args[4]));
      default -> new KafkaBench(args).run();
    }
    System.exit(0);
  }

  private static void broker(Path directory) throws IOException {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory)) {
      System.out.println(broker.address());
      while (System.in.read() >= 0) {
        // until the process that started it ends
      }
    }
  }

  private static KafkaCluster cluster(String address) throws CliException {
    Properties client = new Properties();
    client.put("bootstrap.servers", address);
    return new KafkaCluster(client, Duration.ofSeconds(60), System::nanoTime, System.err::println);
  }

  private static void produce(String address, String topic, int partitions, long records)
      throws Exception {
    try (KafkaCluster cluster = cluster(address);
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", address, "linger.ms", 20, "batch.size", 1 << 18),
                new StringSerializer(),
                new ByteArraySerializer())) {
      cluster.create(topic, partitions, Map.of());
      byte[] value = new byte[VALUE_BYTES];
      for (long i = 0; i < records; i++) {
        producer.send(new ProducerRecord<>(topic, id(i % (records / 2)), value));
      }
    }
  }

  /** Returns a key of 16 characters. */
  private static String id(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return HexFormat.of().toHexDigits(mixed ^ (mixed >>> 32));
  }

  private void run() throws Exception {
    String out = id + "-out";
    try (KafkaCluster cluster = cluster(address)) {
      cluster.create(out, partitions, Map.of());
      KafkaStreams streams = start(out);
      var ends = cluster.ends(topic, partitions);
      while (cpuAtFirst < 0 || cluster.lag(id, ends) > 0) {
        Thread.sleep(100);
      }
      double threads = (streamThreadNanos() - threadsAtFirst) / 1e9;
      double cpu = (cpuNanos() - cpuAtFirst) / 1e9;
      double wall = (System.nanoTime() - wallAtFirst) / 1e9;
      close(streams);
      long local = bytesIn(directory);
      long restart = untilRunning(out, false);
      long cpuBefore = cpuNanos();
      long restore = untilRunning(out, true);
      System.out.printf(
          Locale.ROOT,
          "%s,%d,%d,%.2f,%.2f,%.2f,%d,%d,%d,%d,%.2f%n",
          way,
          partitions,
          records,
          threads,
          cpu,
          wall,
          changelogBytes(),
          local,
          restart,
          restore,
          (cpuNanos() - cpuBefore) / 1e9);
    }
  }

  private KafkaStreams start(String out) {
    KafkaStreams streams = new KafkaStreams(topology(out), config());
    streams.start();
    return streams;
  }

  private static void close(KafkaStreams streams) {
    streams.close(
        CloseOptions.timeout(Duration.ofMinutes(1))
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }

  /** Returns the milliseconds until all is restored, from local files or without them. */
  private long untilRunning(String out, boolean cleanUp) throws Exception {
    KafkaStreams streams = new KafkaStreams(topology(out), config());
    if (cleanUp) {
      streams.cleanUp();
    }
    long begin = System.nanoTime();
    streams.start();
    while (streams.state() != KafkaStreams.State.RUNNING) {
      Thread.sleep(5);
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    close(streams);
    return millis;
  }

  private Properties config() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    config.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArray().getClass());
    config.put("auto.offset.reset", "earliest");
    return config;
  }

  private Topology topology(String out) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, byte[]> in = builder.<String, byte[]>stream(topic).peek((key, value) -> tick());
    switch (way) {
      case "pass-through" -> in.to(out);
      case "unseen" -> in.process(unseen()).to(out);
      case "unseen-snapshots" ->
          in.process(unseen().snapshotEvery(Duration.ofMinutes(5))).to(out);
      case "window-store" -> in.process(new Seen()).to(out);
      default -> throw new IllegalArgumentException("way '%s' is unknown".formatted(way));
    }
    return builder.build();
  }

  private TopicDeduplication<String, byte[]> unseen() {
    return Unseen.deduplicate((String key, byte[] value) -> key)
        .expectedKeys(records) // twice as many as there are
        .window(dev.unseen.filter.Window.time(WINDOW));
  }

  private static void tick() {
    if (cpuAtFirst < 0) {
      wallAtFirst = System.nanoTime();
      threadsAtFirst = streamThreadNanos();
      cpuAtFirst = cpuNanos();
    }
  }

  /** Returns the CPU time of the threads that process records. */
  private static long streamThreadNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().matches(".*-StreamThread-\\d+")
          && !thread.getThreadName().contains("|")) {
        nanos += threads.getThreadCpuTime(id);
      }
    }
    return nanos;
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long changelogBytes() throws Exception {
    long bytes = 0;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      for (var broker : admin.describeLogDirs(List.of(1)).allDescriptions().get().values()) {
        for (var logs : broker.values()) {
          for (var log : logs.replicaInfos().entrySet()) {
            String name = log.getKey().topic();
            bytes += name.startsWith(id + "-") && name.endsWith("-changelog") ? log.getValue().size() : 0;
          }
        }
      }
    }
    return bytes;
  }

  private static long bytesIn(Path directory) throws IOException {
    long bytes = 0;
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          bytes += Files.size(file);
        }
      }
    }
    return bytes;
  }

  /** The usual way: a window store on RocksDB, asked for the key around the time of the record. */
  private static final class Seen implements ProcessorSupplier<String, byte[], String, byte[]> {
    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          Stores.windowStoreBuilder(
              Stores.persistentWindowStore("seen", WINDOW.multipliedBy(2), WINDOW, false),
              Serdes.String(),
              Serdes.Long()));
    }

    @Override
    public org.apache.kafka.streams.processor.api.Processor<String, byte[], String, byte[]> get() {
      return new ContextualProcessor<>() {
        private WindowStore<String, Long> store;

        @Override
        public void init(ProcessorContext<String, byte[]> context) {
          super.init(context);
          store = context.getStateStore("seen");
        }

        @Override
        public void process(Record<String, byte[]> record) {
          long time = record.timestamp();
          long length = WINDOW.toMillis();
          boolean seen;
          try (WindowStoreIterator<Long> found =
              store.fetch(record.key(), time - length, time + length)) {
            seen = found.hasNext();
          }
          if (!seen) {
            store.put(record.key(), time, time);
            context().forward(record);
          }
        }
      };
    }
  }
}
