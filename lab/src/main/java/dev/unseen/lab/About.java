package dev.unseen.lab;

import dev.unseen.lab.output.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** Collects the facts about a run that its page and its summary show. */
final class About {
  private About() {}

  /** Returns the title, the command as it was typed, the seed, the date, the JDK and the time. */
  static Map<String, Object> of(CommandSpec command, String title, long seed, long startNanos) {
    return Json.object(
        "title",
        title,
        "command",
        typed(command),
        "seed",
        seed,
        "date",
        LocalDate.now(ZoneOffset.UTC).toString(),
        "jdk",
        System.getProperty("java.version"),
        "elapsedSeconds",
        (System.nanoTime() - startNanos) / 1e9);
  }

  /** Returns the command with its arguments; of a file, only the name. */
  private static String typed(CommandSpec command) {
    List<String> arguments = command.commandLine().getParseResult().originalArgs();
    return arguments.stream()
        .map(
            argument -> {
              int value = argument.startsWith("-") ? argument.indexOf('=') + 1 : 0;
              Path file = Path.of(argument.substring(value));
              return value >= 0 && Files.exists(file) && file.getFileName() != null
                  ? argument.substring(0, value) + file.getFileName()
                  : argument;
            })
        .collect(Collectors.joining(" ", "./" + command.root().name() + " ", ""))
        .strip();
  }
}
