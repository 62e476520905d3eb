package dev.unseen.cli;

import dev.unseen.commands.CliException;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command whose jars are on the class path only when it is used, so that all others start without
 * them. The launcher puts them there; no class of theirs is named here.
 */
enum OptionalCommand {
  FLINK("Runs as a job of Apache Flink, on one machine or many."),
  KAFKA("Writes each record of a Kafka topic once to another topic."),
  SERVE("Answers clients of Redis: items are let through once."),
  LAB("Measures filters against the exact truth.");

  private final String command;
  private final String summary;

  OptionalCommand(String summary) {
    this.command = name().toLowerCase(Locale.ROOT);
    this.summary = summary;
  }

  static Optional<OptionalCommand> named(String command) {
    return Stream.of(values()).filter(each -> each.command.equals(command)).findFirst();
  }

  /** Returns what runs the command, or fails with what to do. */
  ToolProvider tool() throws CliException {
    return find()
        .orElseThrow(
            () ->
                CliException.usage(
                    "the jars of '%s' are not on the class path; start it with the launcher, bin/unseen %s"
                        .formatted(command, command),
                    null));
  }

  /** Returns what the command declares; if its jars are missing, its name and purpose. */
  CommandSpec spec() {
    return find()
        .filter(Supplier.class::isInstance)
        .map(tool -> (CommandSpec) ((Supplier<?>) tool).get())
        .orElseGet(this::outline)
        .name(command);
  }

  private CommandSpec outline() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(summary, "Its options: unseen %s --help".formatted(command));
    return spec;
  }

  private Optional<ToolProvider> find() {
    return ServiceLoader.load(ToolProvider.class, OptionalCommand.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(tool -> tool.name().equals("unseen-" + command))
        .findFirst();
  }
}
