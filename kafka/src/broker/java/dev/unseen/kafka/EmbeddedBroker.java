package dev.unseen.kafka;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A Kafka of one node in this process, or one of several that make a Kafka, for tests. It can be
 * stopped and started again, with what it holds and at the same address.
 */
public final class EmbeddedBroker implements Closeable {
  private static final String HOST = "localhost";
  private static final int LEAST_PORT = 20_000;
  private static final int MOST_PORT = 32_000;
  private static final int MOST_TRIES = 1000;

  /** The listener of clients, which settings can give a certificate and a login. */
  private static final String CLIENTS = "CLIENTS";

  private final Map<String, String> config = new HashMap<>();
  private final String address;
  private final int node;
  private final Path directory;
  private KafkaRaftServer server; // null: stopped

  private EmbeddedBroker(Path directory, int node, int[] controllerPorts) {
    int controllerPort = controllerPorts[node - 1];
    address = HOST + ":" + freePort();
    this.node = node;
    this.directory = directory;
    config.put("process.roles", "broker,controller");
    config.put("node.id", Integer.toString(node));
    config.put(
        "controller.quorum.voters",
        IntStream.rangeClosed(1, controllerPorts.length)
            .mapToObj(voter -> voter + "@" + HOST + ":" + controllerPorts[voter - 1])
            .collect(Collectors.joining(",")));
    config.put("controller.listener.names", "CONTROLLER");
    config.put(
        "listeners", CLIENTS + "://" + address + ",CONTROLLER://" + HOST + ":" + controllerPort);
    config.put("inter.broker.listener.name", CLIENTS);
    config.put("listener.security.protocol.map", CLIENTS + ":PLAINTEXT,CONTROLLER:PLAINTEXT");
    config.put("log.dirs", directory.toString());
    String copies = Integer.toString(controllerPorts.length);
    String enough = Integer.toString(controllerPorts.length / 2 + 1);
    config.put("default.replication.factor", copies);
    config.put("min.insync.replicas", enough);
    config.put("offsets.topic.replication.factor", copies);
    config.put("offsets.topic.num.partitions", "1");
    config.put("transaction.state.log.replication.factor", copies);
    config.put("transaction.state.log.min.isr", enough);
    config.put("transaction.state.log.num.partitions", "1");
    config.put("share.coordinator.state.topic.replication.factor", copies);
    config.put("share.coordinator.state.topic.min.isr", enough);
    config.put("group.initial.rebalance.delay.ms", "0");
    // A busy machine may keep a node waiting for long, which does not mean that the node is gone.
    config.put("initial.broker.registration.timeout.ms", "300000");
    config.put("controller.quorum.fetch.timeout.ms", "10000");
    config.put("controller.quorum.request.timeout.ms", "10000");
    config.put("controller.quorum.election.timeout.ms", "5000");
    config.put("auto.create.topics.enable", "false");
    config.put("log.retention.ms", "-1"); // however old the times of records are
    config.put("log.cleaner.enable", "false"); // it would take 128 MiB of heap
  }

  /**
   * Starts a broker.
   *
   * @param directory an empty one, for what it holds
   */
  public static EmbeddedBroker start(Path directory) {
    return start(directory, Map.of());
  }

  /** Starts a broker with settings that differ from the usual ones. */
  public static EmbeddedBroker start(Path directory, Map<String, String> settings) {
    EmbeddedBroker broker = make(directory, 1, settings).get(0);
    broker.start();
    return broker;
  }

  /**
   * Makes several brokers of one cluster, each of which keeps a copy of all. More than half of them
   * have to be started before the first {@link #start} returns.
   *
   * @param directory an empty one, for what they hold
   * @param settings of all of them that differ from the usual ones
   */
  static List<EmbeddedBroker> make(Path directory, int count, Map<String, String> settings) {
    int[] controllerPorts = IntStream.range(0, count).map(i -> freePort()).toArray();
    String cluster = Uuid.randomUuid().toString();
    List<EmbeddedBroker> brokers = new ArrayList<>();
    for (int node = 1; node <= count; node++) {
      EmbeddedBroker broker =
          new EmbeddedBroker(directory.resolve("node-" + node), node, controllerPorts);
      broker.config.putAll(settings);
      broker.format(cluster);
      brokers.add(broker);
    }
    return brokers;
  }

  private void format(String cluster) {
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8))
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setNodeId(node)
          .setClusterId(cluster)
          .setDirectories(List.of(directory.toString()))
          .setMetadataLogDirectory(directory.toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .run();
    } catch (Exception e) { // as Kafka declares it
      throw new IllegalStateException(
          "the broker's directory cannot be made: " + e.getMessage(), e);
    }
  }

  /** Starts it again. */
  public void start() {
    server = new KafkaRaftServer(new KafkaConfig(config, false), Time.SYSTEM);
    server.startup();
  }

  /** Stops it; {@link #start} resumes with the same data. */
  public void stop() {
    if (server != null) {
      server.shutdown();
      server.awaitShutdown();
      server = null;
    }
  }

  /** Returns the host and the port for clients. */
  public String address() {
    return address;
  }

  @Override
  public void close() {
    stop();
  }

  /**
   * Returns a free port below those that systems give to outgoing connections, which could take it
   * while the broker is stopped.
   */
  private static int freePort() {
    for (int tries = 1; ; tries++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, MOST_PORT + 1);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        if (tries == MOST_TRIES) {
          throw new UncheckedIOException(
              "no port from %d to %d is free".formatted(LEAST_PORT, MOST_PORT), e);
        }
      }
    }
  }
}
