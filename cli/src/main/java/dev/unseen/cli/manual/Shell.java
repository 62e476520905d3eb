package dev.unseen.cli.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;

/** A shell whose completions can be written, and the place where it looks for them. */
enum Shell {
  BASH("bash-completion/completions/unseen"),
  ZSH("zsh/site-functions/_unseen"),
  FISH("fish/vendor_completions.d/unseen.fish");

  /** Picocli turns file names off where it knows no words; without this line they are offered. */
  private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

  private final String file;

  Shell(String file) {
    this.file = file;
  }

  /** Returns the names of all, in lower case. */
  static List<String> names() {
    return Arrays.stream(values()).map(Shell::id).toList();
  }

  /** Returns the shell with this name. */
  static Shell of(String name) {
    return Arrays.stream(values())
        .filter(shell -> shell.id().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "shell '%s' is unknown; known: %s"
                        .formatted(name, names().stream().collect(Collectors.joining(", ")))));
  }

  private String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns where the script belongs, below the directory {@code share}. */
  String file() {
    return file;
  }

  /** Returns the script that completes the command. */
  String script(CommandLine root) {
    Declared command = new Declared(root.getCommandSpec());
    return switch (this) {
      case BASH -> AutoComplete.bash("unseen", root).replace(NO_FILES, "");
      case ZSH -> ZshCompletion.of(command);
      case FISH -> FishCompletion.of(command);
    };
  }
}
