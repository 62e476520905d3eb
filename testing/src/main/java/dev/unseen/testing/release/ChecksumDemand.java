package dev.unseen.testing.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Each file has its checksums beside it. */
final class ChecksumDemand {
  private static final Map<String, String> ALGORITHMS = Map.of("md5", "MD5", "sha1", "SHA-1");

  private ChecksumDemand() {}

  static List<String> checksums(Artifact artifact, Release release) {
    List<String> problems = new ArrayList<>();
    for (Path file : artifact.files().values()) {
      ALGORITHMS.forEach(
          (ending, algorithm) -> {
            Path sum = file.resolveSibling(file.getFileName() + "." + ending);
            if (!Files.exists(sum)) {
              problems.add("no " + sum.getFileName());
            } else if (!read(sum).equals(digest(file, algorithm))) {
              problems.add("%s does not fit its file".formatted(sum.getFileName()));
            }
          });
    }
    problems.sort(null);
    return problems;
  }

  /** Returns the sum as it is in the file; some tools write the name of the file after it. */
  private static String read(Path sum) {
    try {
      return Files.readString(sum, UTF_8).strip().split("\\s", 2)[0].toLowerCase(Locale.ROOT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(Path file, String algorithm) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }
}
