package dev.unseen.server.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The options of the server, as {@code options.txt} declares them. Loads no other classes of the
 * server.
 */
public final class ServeArguments {
  private ServeArguments() {}

  /** Returns the declaration, that help, manual pages and completions are generated from. */
  public static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen serve");
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("unseen serve [OPTIONS]")
        .description(
            "Serves filters to every language that has a Redis client: speaks Redis's protocol,"
                + " RedisBloom's commands, and SET key value NX EX seconds.",
            "")
        .footer(
            "",
            "Examples:",
            "  unseen serve --dir /var/lib/unseen",
            "  redis-cli -p 7379 BF.RESERVE clicks 0.001 1000000 WINDOW 24h",
            "  redis-cli -p 7379 SET event:123 1 NX EX 86400");
    for (String[] option : declarations()) {
      spec.addOption(option(option[0].split(" ", -1), option[1]));
    }
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    return spec;
  }

  /** Returns the two lines of each option in {@code options.txt}. */
  private static List<String[]> declarations() {
    try (InputStream in = ServeArguments.class.getResourceAsStream("options.txt")) {
      String text = new String(in.readAllBytes(), UTF_8);
      return Stream.of(text.split("\n{2,}", -1))
          .filter(block -> block.startsWith("--"))
          .map(block -> block.strip().split("\n", 2))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the resource is in the same jar
    }
  }

  /**
   * Returns an option.
   *
   * @param words its name; unless it is a flag, the label of its value; and the default, if any
   */
  private static OptionSpec option(String[] words, String description) {
    OptionSpec.Builder option = OptionSpec.builder(words[0]);
    if (words.length == 1) {
      return option.type(boolean.class).description(description).build();
    }
    option.type(String.class).paramLabel(words[1]);
    return words.length == 2
        ? option.description(description).build()
        : option
            .defaultValue(words[2])
            .description(description + " Default: " + words[2] + ".")
            .build();
  }

  /**
   * Reads a command line. Returns all options by their long names; flags have an empty value.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  static Map<String, String> parse(String... args) {
    CommandLine line = new CommandLine(spec()).setExpandAtFiles(false);
    ParseResult parsed;
    try {
      parsed = line.parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    Map<String, String> given = new HashMap<>();
    for (OptionSpec option : parsed.commandSpec().options()) {
      boolean flag = option.arity().max() == 0;
      String name = option.longestName();
      if (flag && parsed.hasMatchedOption(name)) {
        given.put(name, "");
      } else if (!flag && option.getValue() != null) {
        given.put(name, option.getValue());
      }
    }
    return given;
  }
}
