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
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * All manual pages and completions, each with the place where systems look for it. An archive has
 * them as files, made when the jars of all commands were at hand; elsewhere they are made from the
 * commands whose jars are here.
 */
public final class Manual {
  /** Set by the launcher: the directory {@code share} of an archive. */
  private static final String SHARE = "unseen.share";

  private Manual() {}

  /** Writes all files below a directory. The build runs it. */
  public static void main(String[] args) throws IOException {
    for (Map.Entry<String, String> each : made().entrySet()) {
      Path file = Path.of(args[0]).resolve(each.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, each.getValue());
    }
  }

  /** Returns the text of each file by its place below the directory {@code share}. */
  public static Map<String, String> files() throws IOException {
    if (System.getProperty(SHARE) == null) {
      return made();
    }
    Map<String, String> files = new LinkedHashMap<>();
    for (String page : Stream.concat(Stream.of("unseen"), Commands.NAMES.stream()).toList()) {
      files.put(place(page), page(page));
    }
    for (Shell shell : Shell.values()) {
      files.put(shell.file(), script(shell));
    }
    return files;
  }

  private static Map<String, String> made() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    CommandLine root = Commands.all();
    for (CommandLine command : commands(root)) {
      files.put(place(command.getCommandName()), page(command));
    }
    for (Shell shell : Shell.values()) {
      files.put(shell.file(), shell.script(root));
    }
    return files;
  }

  /** Returns the manual page of a command; of {@code unseen} itself if the name is "unseen". */
  static String page(String name) throws IOException {
    String share = System.getProperty(SHARE);
    if (share != null) {
      return Files.readString(Path.of(share, place(name)));
    }
    CommandLine root = Commands.all();
    return page(name.equals("unseen") ? root : root.getSubcommands().get(name));
  }

  /** Returns the script that completes the command in a shell. */
  static String script(Shell shell) throws IOException {
    String share = System.getProperty(SHARE);
    return share == null
        ? shell.script(Commands.all())
        : Files.readString(Path.of(share, shell.file()));
  }

  /** Returns where the page of a command belongs. */
  private static String place(String command) {
    return "man/man1/%s.1".formatted(command.equals("unseen") ? command : "unseen-" + command);
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
