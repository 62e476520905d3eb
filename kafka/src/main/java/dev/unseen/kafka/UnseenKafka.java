package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.IoMessages;
import java.io.PrintWriter;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command {@code unseen kafka}: writes each record of a topic once to another topic. The class
 * loads without Kafka, so that help and manual pages can be made without it.
 */
public final class UnseenKafka implements ToolProvider, Supplier<CommandSpec> {
  private final LongSupplier nanoTime;

  /** Creates the command. The launcher finds it by its class name. */
  public UnseenKafka() {
    this(System::nanoTime);
  }

  /** Measures the time without an answer of a broker by a clock of one's own. */
  UnseenKafka(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public String name() {
    return "unseen-kafka";
  }

  /** Returns the declaration of the command. */
  @Override
  public CommandSpec get() {
    return TopicArguments.spec();
  }

  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    try {
      GivenOptions given = TopicArguments.parse(args, out);
      if (given == null) {
        return CliException.OK;
      }
      return new TopicRun(TopicOptions.of(given), err, nanoTime).run();
    } catch (IllegalArgumentException e) {
      err.println("unseen: " + GateArguments.message(e));
      err.println("try 'unseen kafka --help'");
      return CliException.USAGE;
    } catch (CliException e) {
      err.println("unseen: " + e.getMessage());
      return e.exitCode();
    } catch (Exception e) {
      if (System.getenv("UNSEEN_DEBUG") != null) {
        e.printStackTrace(err);
      }
      err.println("unseen: " + IoMessages.innermost(e));
      return CliException.INPUT_OR_OUTPUT;
    } finally {
      out.flush();
      err.flush();
    }
  }
}
