package dev.unseen.testing.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Each file has a signature beside it, which gpg accepts.
 *
 * @param home the directory of gpg's keys, which have to have the one that signed; "" for its own
 */
record SignatureDemand(String home) {
  static final String TEXT = "signatures of all files, which are right";

  List<String> signatures(Artifact artifact) {
    List<String> problems = new ArrayList<>();
    for (Path file : artifact.files().values()) {
      Path signature = file.resolveSibling(file.getFileName() + ".asc");
      if (!Files.exists(signature)) {
        problems.add("no " + signature.getFileName());
      } else if (!verify(signature, file)) {
        problems.add("gpg does not accept " + signature.getFileName());
      }
    }
    return problems;
  }

  private boolean verify(Path signature, Path file) {
    List<String> command = new ArrayList<>(List.of("gpg", "--batch", "--quiet"));
    if (!home.isEmpty()) {
      command.addAll(List.of("--homedir", home));
    }
    command.addAll(List.of("--verify", signature.toString(), file.toString()));
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException("gpg, which verifies signatures, cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
