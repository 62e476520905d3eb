package dev.unseen.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.server.access.Rights;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The declaration of a command in {@code commands.txt}, where the format is described.
 *
 * @param arity the number of arguments, the name included; negative if it is the least number
 * @param rights what a user needs
 * @param text a summary of one sentence, then what else is to be known
 */
record CommandDoc(
    String group,
    String syntax,
    int arity,
    Rights rights,
    String complexity,
    String text,
    List<String> replies,
    List<String> errors,
    List<String> example) {
  private static final Pattern FACTS = Pattern.compile("(-?\\d+) (\\w+); (.*)");
  private static final Pattern REPLY = Pattern.compile("(RESP2|RESP3|Reply): .*");
  private static final Pattern KEY = Pattern.compile("(\\w+-)?key");

  /** Returns all declarations, in their order. */
  static List<CommandDoc> all() {
    List<CommandDoc> all = new ArrayList<>();
    String group = "";
    for (List<String> block : blocks("commands.txt")) {
      String first = block.get(0);
      if (first.startsWith("= ")) {
        group = first.substring(2);
      } else {
        all.add(parse(group, block));
      }
    }
    return all;
  }

  /** Returns the blocks of lines of a resource that empty lines separate, without comments. */
  static List<List<String>> blocks(String resource) {
    try (InputStream in = CommandDoc.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), UTF_8);
      return Stream.of(text.split("\n{2,}", -1))
          .map(block -> block.lines().toList())
          .filter(block -> !block.isEmpty() && !block.get(0).startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the resource is in the same jar
    }
  }

  private static CommandDoc parse(String group, List<String> block) {
    Matcher facts = FACTS.matcher(block.get(1));
    if (!facts.matches()) {
      throw new IllegalStateException(
          "'%s' must be the arity, rights and complexity of %s"
              .formatted(block.get(1), block.get(0)));
    }
    int example = 2;
    while (example < block.size() && !block.get(example).startsWith("> ")) {
      example++;
    }
    List<String> texts = block.subList(2, example);
    return new CommandDoc(
        group,
        block.get(0),
        Integer.parseInt(facts.group(1)),
        Rights.valueOf(facts.group(2).toUpperCase(Locale.ROOT)),
        facts.group(3),
        texts.get(0),
        texts.stream().filter(line -> REPLY.matcher(line).matches()).toList(),
        texts.stream()
            .filter(line -> line.startsWith("! "))
            .map(line -> line.substring(2))
            .toList(),
        block.subList(example, block.size()));
  }

  String name() {
    return syntax.split(" ", 2)[0];
  }

  String summary() {
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  /** Returns the number of the last argument that is a key; 0 if there is none, -1 for all. */
  int lastKey() {
    List<String> arguments = arguments();
    int last = 0;
    while (last < arguments.size() && KEY.matcher(arguments.get(last)).matches()) {
      last++;
    }
    return last < arguments.size() && arguments.get(last).equals("[key ...]") ? -1 : last;
  }

  /** Returns the arguments; what is in brackets is one argument. */
  List<String> arguments() {
    List<String> all = new ArrayList<>();
    int depth = 0;
    for (String word : syntax.split(" ", -1)) {
      if (depth == 0) {
        all.add(word);
      } else {
        all.set(all.size() - 1, all.get(all.size() - 1) + " " + word);
      }
      depth +=
          word.chars().map(c -> c == '[' || c == '<' ? 1 : c == ']' || c == '>' ? -1 : 0).sum();
    }
    return all.subList(1, all.size());
  }
}
