package dev.unseen.cli.manual;

import dev.unseen.cli.Commands;
import dev.unseen.cli.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** All manual pages and completions, each with the place where systems look for it. */
public final class Manual {
  private Manual() {}

  /** Writes all files below a directory. The build runs it. */
  public static void main(String[] args) throws IOException {
    for (Map.Entry<String, String> each : files().entrySet()) {
      Path file = Path.of(args[0]).resolve(each.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, each.getValue());
    }
  }

  /** Returns the text of each file by its place below the directory {@code share}. */
  public static Map<String, String> files() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    CommandLine root = Commands.all();
    for (CommandLine command : commands(root)) {
      files.put("man/man1/" + name(command) + ".1", page(command));
    }
    for (Shell shell : Shell.values()) {
      files.put(shell.file(), shell.script(root));
    }
    return files;
  }

  /** Returns the manual page of a command; of {@code unseen} itself if the name is "unseen". */
  static String page(String name) throws IOException {
    CommandLine root = Commands.all();
    return page(name.equals("unseen") ? root : root.getSubcommands().get(name));
  }

  private static String page(CommandLine command) throws IOException {
    CommandLine root = command.getParent() == null ? command : command.getParent();
    List<String> names = commands(root).stream().map(Manual::name).toList();
    return ManPage.of(command.getCommandSpec(), new Version().getVersion()[0], names);
  }

  private static List<CommandLine> commands(CommandLine root) {
    List<CommandLine> commands = new ArrayList<>(List.of(root));
    commands.addAll(root.getSubcommands().values());
    return commands;
  }

  private static String name(CommandLine command) {
    return new Declared(command.getCommandSpec()).page();
  }
}
