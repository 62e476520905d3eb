package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.commands.IoMessages;
import dev.unseen.files.DurableFile;
import dev.unseen.hash.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The secret that keys are hashed with: that of a file or of the environment, or the user's own,
 * which the first run makes and all later ones find. So strangers do not know it, and yet the runs
 * of one user agree and can be merged. It never comes from the command line, which others can see.
 *
 * @param secret of this run
 * @param trouble why no later run can have the same one; empty if it can
 */
record UserSecret(Secret secret, Optional<String> trouble) {
  private static final String VARIABLE = "UNSEEN_SECRET";

  /** Finds or makes the secret of the user whose environment this is. */
  static UserSecret find(Map<String, String> environment) throws CliException {
    String given = environment.get(VARIABLE);
    if (given != null) {
      return new UserSecret(parse(given, "the variable " + VARIABLE), Optional.empty());
    }
    Path file = fileOf(environment);
    try {
      if (!Files.exists(file)) {
        make(file);
      }
      return new UserSecret(read(file), Optional.empty());
    } catch (IOException e) {
      return new UserSecret(
          Secret.random(),
          Optional.of(
              "your secret cannot be saved (%s), so this run uses a new one; its states cannot be merged with those of other runs. Name a secret with --secret-file"
                  .formatted(IoMessages.describe(e))));
    }
  }

  /** Reads the secret of a file that the user has named. */
  static Secret of(String file) throws CliException {
    try {
      return read(Path.of(file));
    } catch (IOException e) {
      throw CliException.inputOrOutput("cannot read the secret " + IoMessages.describe(e), e);
    }
  }

  private static Path fileOf(Map<String, String> environment) {
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
    Path directory = config.startsWith("/") ? Path.of(config) : home.resolve(".config");
    return directory.resolve("unseen").resolve("secret");
  }

  private static Secret read(Path file) throws IOException, CliException {
    return parse(Files.readString(file, StandardCharsets.ISO_8859_1), file.toString());
  }

  private static Secret parse(String text, String from) throws CliException {
    try {
      return Secret.parse(text);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("%s: %s".formatted(from, e.getMessage()), e);
    }
  }

  /** Creates a secret. If several runs do so at once, one succeeds and the others read it. */
  private static void make(Path file) throws IOException {
    DurableFile.createDirectory(file.getParent());
    Path fresh =
        file.resolveSibling("secret." + ProcessHandle.current().pid() + "." + System.nanoTime());
    byte[] text = (Secret.random().digits() + "\n").getBytes(StandardCharsets.US_ASCII);
    try {
      DurableFile.writeNew(file, fresh, text);
    } catch (FileAlreadyExistsException e) {
      // another run was faster
    }
  }
}
