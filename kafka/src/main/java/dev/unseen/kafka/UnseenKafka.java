package dev.unseen.kafka;

import dev.unseen.commands.CommandTool;
import dev.unseen.commands.GivenOptions;
import java.io.PrintWriter;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code unseen kafka}: writes each record of a topic once to another topic. The class
 * loads without Kafka, so that help and manual pages can be made without it.
 */
public final class UnseenKafka extends CommandTool {
  private final LongSupplier nanoTime;

  /** Creates the command. The launcher finds it by its class name. */
  public UnseenKafka() {
    this(System::nanoTime);
  }

  /** Measures the time without an answer of a broker by a clock of one's own. */
  UnseenKafka(LongSupplier nanoTime) {
    super("kafka");
    this.nanoTime = nanoTime;
  }

  /** Returns the declaration of the command. */
  @Override
  public CommandSpec get() {
    return TopicArguments.spec();
  }

  @Override
  protected int run(ParseResult line, PrintWriter err) throws Exception {
    return new TopicRun(TopicOptions.of(GivenOptions.of(line)), err, nanoTime).run();
  }
}
