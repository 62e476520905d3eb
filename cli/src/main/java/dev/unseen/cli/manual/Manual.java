package dev.unseen.cli.manual;

import dev.unseen.cli.dedup.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * The manual pages and the completion for bash. An archive has them as files, made when the jars of
 * all commands were on the class path; elsewhere they are made from the commands whose jars are.
 */
public final class Manual {
  /** Set by the launcher: the directory {@code share} of an archive. */
  private static final String SHARE = "unseen.share";

  private static final String COMPLETION = "bash-completion/completions/unseen";

  /** Picocli turns file names off where it knows no words; without this line they are offered. */
  private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

  private final Supplier<CommandLine> commands;

  /** Creates the manual of a command and its subcommands. */
  public Manual(Supplier<CommandLine> commands) {
    this.commands = commands;
  }

  /** Writes all files below a directory {@code share}. */
  public void write(Path share) throws IOException {
    CommandLine root = commands.get();
    for (CommandLine command : pages(root)) {
      write(share.resolve(place(command.getCommandName())), page(command));
    }
    write(share.resolve(COMPLETION), completion(root));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Returns the manual page of a command; of {@code unseen} itself if the name is "unseen". */
  String page(String name) throws IOException {
    String share = System.getProperty(SHARE);
    if (share != null) {
      return Files.readString(Path.of(share, place(name)));
    }
    CommandLine root = commands.get();
    return page(name.equals("unseen") ? root : root.getSubcommands().get(name));
  }

  /** Returns the script that completes the command in bash. */
  String completion() throws IOException {
    String share = System.getProperty(SHARE);
    return share == null
        ? completion(commands.get())
        : Files.readString(Path.of(share, COMPLETION));
  }

  private static String completion(CommandLine root) {
    return AutoComplete.bash("unseen", root).replace(NO_FILES, "");
  }

  /** Returns where the page of a command belongs. */
  private static String place(String command) {
    return "man/man1/%s.1".formatted(command.equals("unseen") ? command : "unseen-" + command);
  }

  private static String page(CommandLine command) throws IOException {
    CommandLine root = command.getParent() == null ? command : command.getParent();
    List<String> names =
        pages(root).stream().map(each -> each.getCommandSpec().qualifiedName("-")).toList();
    return ManPage.of(command, new Version().getVersion()[0], names);
  }

  private static List<CommandLine> pages(CommandLine root) {
    List<CommandLine> commands = new ArrayList<>(List.of(root));
    commands.addAll(root.getSubcommands().values());
    return commands;
  }
}
