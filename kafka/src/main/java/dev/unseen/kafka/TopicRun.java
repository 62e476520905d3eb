package dev.unseen.kafka;

import dev.unseen.LateRecordException;
import dev.unseen.Measure;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.IoMessages;
import dev.unseen.commands.KafkaCluster;
import dev.unseen.commands.MetricsServer;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.text.Print;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** A run of the command, from the first question to the brokers to the summary. */
final class TopicRun {
  private static final Duration CLOSE = Duration.ofSeconds(30);

  /** After a failure what is not committed is processed again, so there is less to wait for. */
  private static final Duration CLOSE_FAILED = Duration.ofSeconds(5);

  private static final long AWAIT_CLOSE_MILLIS = 50;
  private static final long LOOK_MILLIS = 200;
  private static final long SHOW_NANOS = 1_000_000_000;
  private static final int OUTPUT_BYTES = 1 << 16;

  private static final long REPLACED_NANOS = 600_000_000_000L;
  private static final int MOST_REPLACED = 10; // in this time

  private final TopicOptions options;
  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final TopicCounts counts = new TopicCounts();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final RunStatus status;
  private long replacedSince = System.nanoTime();
  private int replaced;

  /**
   * Prepares a run.
   *
   * @param nanoTime the clock of the patience with brokers
   */
  TopicRun(TopicOptions options, PrintWriter err, LongSupplier nanoTime) {
    this.options = options;
    this.err = err;
    this.nanoTime = nanoTime;
    this.status = new RunStatus(err, !options.quiet() && !options.topics().writesStandardOutput());
  }

  /** Runs until it is stopped, or has reached the end; returns the exit code. */
  int run() throws Exception {
    Thread hook = new Thread(this::stopAndWait, "signals");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return runUntilStopped();
    } finally {
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It runs already.
      }
    }
  }

  /** INT and TERM stop the run cleanly; the process ends when all is committed. */
  private void stopAndWait() {
    stop.countDown();
    try {
      if (!ended.await(2 * CLOSE.toSeconds(), TimeUnit.SECONDS)) {
        report("the run does not end; what is not committed will be processed again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int runUntilStopped() throws Exception {
    options.decoder().ifPresent(ValueDecoder::close); // fails here, and not in a task
    String port = options.metricsPort().orElse(null);
    try (KafkaCluster cluster =
            new KafkaCluster(options.client(), options.patience(), nanoTime, this::report);
        MetricsServer metrics = port == null ? null : new MetricsServer(port)) {
      int partitions = options.topics().check(cluster);
      TopicDeduplication<byte[], KeyedRecord> deduplication = options.deduplication();
      StandardInput feed =
          options.topics().readsStandardInput() ? StandardInput.open(options) : null;
      OutputStream out =
          new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUTPUT_BYTES);
      KafkaStreams streams =
          new KafkaStreams(
              new TopicTopology(options, counts).build(deduplication, out), streamsConfig());
      Duration close = CLOSE_FAILED;
      try {
        start(streams);
        watch(streams, cluster, partitions, feed, deduplication, metrics);
        close = CLOSE;
      } finally {
        streams.close(
            CloseOptions.timeout(close)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        if (feed != null) {
          feed.close();
        }
      }
    }
    status.clear();
    requireNoFailure();
    report(counts.toString());
    return CliException.OK;
  }

  private void start(KafkaStreams streams) {
    streams.setUncaughtExceptionHandler(
        e -> {
          if (isAborted(e) && mayGoOn()) {
            report("a transaction took too long and was aborted; its records are processed again");
            return StreamThreadExceptionResponse.REPLACE_THREAD;
          }
          failure.compareAndSet(null, e);
          stop.countDown();
          awaitClose(streams);
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.start();
  }

  /**
   * Waits until all threads were asked to leave their group, which a close does first. One that
   * ends before remains a member, and the next run would wait until its session has timed out.
   */
  private static void awaitClose(KafkaStreams streams) {
    long end = System.nanoTime() + CLOSE_FAILED.toNanos();
    try {
      while (!streams.state().isShuttingDown() && System.nanoTime() - end < 0) {
        Thread.sleep(AWAIT_CLOSE_MILLIS);
      }
      Thread.sleep(AWAIT_CLOSE_MILLIS); // the state comes first, the request a moment later
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether a transaction took longer than {@code transaction.timeout.ms}, so that its
   * broker aborted it: the process was suspended, or the broker was unreachable. Depending on the
   * error code of the broker, Kafka Streams resumes automatically or ends the thread (KAFKA-19690).
   * A new thread begins where the transaction began.
   */
  private static boolean isAborted(Throwable failure) {
    return IoMessages.cause(failure, InvalidTxnStateException.class).isPresent();
  }

  /** Returns whether a thread may be replaced again, which is false if it happens too often. */
  private synchronized boolean mayGoOn() {
    long now = System.nanoTime();
    if (now - replacedSince > REPLACED_NANOS) {
      replacedSince = now;
      replaced = 0;
    }
    return ++replaced <= MOST_REPLACED;
  }

  /** Shows how far the run is, until it is stopped or has reached the end. */
  private void watch(
      KafkaStreams streams,
      KafkaCluster cluster,
      int partitions,
      StandardInput feed,
      TopicDeduplication<?, ?> deduplication,
      MetricsServer metrics)
      throws Exception {
    boolean exits = options.exitAtEnd() || options.topics().readsStandardInput();
    Map<TopicPartition, Long> goal = cluster.ends(options.topics().source(), partitions);
    boolean fed = feed != null;
    boolean last = !options.keys().repartition();
    long shown = System.nanoTime() - SHOW_NANOS;
    while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      if (fed && feed.hasEnded()) {
        goal = cluster.ends(options.topics().source(), partitions);
        fed = false;
      }
      boolean ready = streams.state() == KafkaStreams.State.RUNNING; // so its state is accepted
      if (exits && ready && !fed && cluster.lag(options.topics().applicationId(), goal) == 0) {
        if (last) {
          return;
        }
        last = true; // what was read is now in the topic that repartitions it
        goal = cluster.writtenEnds(options.topics().repartition(), partitions);
      }
      if (System.nanoTime() - shown >= SHOW_NANOS) {
        shown = System.nanoTime();
        Map<TopicPartition, Long> ends = cluster.ends(options.topics().source(), partitions);
        if (ready && options.keys().repartition()) {
          ends.putAll(cluster.ends(options.topics().repartition(), partitions));
        }
        long lag = cluster.lag(options.topics().applicationId(), ends);
        status.show(String.format(Locale.ROOT, "%s; %,d to go", counts, lag));
        publish(deduplication, metrics, lag);
      }
    }
  }

  private static void publish(
      TopicDeduplication<?, ?> deduplication, MetricsServer metrics, long lag) {
    if (metrics != null) {
      metrics.publish(
          new PrometheusText()
              .buildInfo()
              .reports("task", deduplication.reports())
              .number(
                  "unseen_kafka_lag",
                  Measure.Type.GAUGE,
                  "Records of the topic that are not processed yet",
                  lag)
              .toString());
    }
  }

  private void requireNoFailure() throws CliException {
    Throwable found = failure.get();
    if (found == null) {
      return;
    }
    for (Throwable each = found; each != null; each = each.getCause()) {
      if (each instanceof IOException && "Broken pipe".equals(each.getMessage())) {
        return; // the reader of the output has what it wanted, as head has
      }
      if (each instanceof DeduplicationRejectedException rejected) {
        String message = rejected.describe(GateArguments::name);
        throw each.getCause() instanceof LateRecordException
            ? CliException.inputOrOutput(message, found)
            : CliException.state(message, found);
      }
      if (each instanceof OutOfMemoryError) {
        throw CliException.inputOrOutput(
            "Java's heap of %s has no room for the filters of its partitions, which take %s in all processes together; raise it (UNSEEN_JAVA_OPTS=-Xmx8g), ask for less --memory, or start more processes with this application id"
                .formatted(
                    Print.bytes(Runtime.getRuntime().maxMemory()), Print.bytes(options.memory())),
            found);
      }
      if (each instanceof RecordRejectedException) {
        throw CliException.inputOrOutput(each.getMessage(), found);
      }
    }
    if (isAborted(found)) {
      throw CliException.inputOrOutput(
          "transactions were aborted %d times in ten minutes, because they took longer than the brokers allow; set a longer transaction.timeout.ms in --config"
              .formatted(MOST_REPLACED + 1),
          found);
    }
    throw CliException.inputOrOutput("the run failed: " + IoMessages.innermost(found), found);
  }

  private Properties streamsConfig() {
    Properties config = new Properties();
    config.put("auto.offset.reset", "earliest");
    config.putAll(options.client());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, options.topics().applicationId());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, options.threads());
    config.put(
        StreamsConfig.STATE_DIR_CONFIG,
        options
            .stateDirectory()
            .orElseGet(
                () ->
                    Path.of(
                            System.getProperty("java.io.tmpdir"),
                            "unseen-kafka-" + System.getProperty("user.name"))
                        .toString()));
    return config;
  }

  private void report(String message) {
    if (!options.quiet()) {
      status.clear();
      err.println("unseen: " + message);
      err.flush();
    }
  }
}
