package dev.unseen.testing.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signatures are verified with gpg itself, and a key that lives as long as the test. */
final class SignatureDemandTest {
  @TempDir private Path directory;
  private Path home;
  private MadeRelease made;

  @BeforeEach
  void sign() throws IOException, InterruptedException {
    assumeTrue(gpgIsHere(), "gpg is not installed, so no signature can be verified");
    // The path of gpg's socket may have no more than about 100 characters.
    home = Files.createTempDirectory("gpg");
    made = new MadeRelease(directory, "1.0");
    gpg("--passphrase", "", "--quick-generate-key", "test@example.org", "ed25519", "sign", "1d");
    for (Path file : made.files()) {
      gpg("--armor", "--detach-sign", file.toString());
    }
  }

  @AfterEach
  void stop() throws IOException, InterruptedException {
    if (home != null) {
      new ProcessBuilder("gpgconf", "--homedir", home.toString(), "--kill", "all")
          .start()
          .waitFor();
      try (Stream<Path> all = Files.walk(home)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  private static boolean gpgIsHere() throws InterruptedException {
    try {
      return new ProcessBuilder("gpg", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void gpg(String... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("gpg", "--homedir", home.toString(), "--batch", "--quiet"));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void accepts_what_the_key_has_signed_and_nothing_else() throws IOException {
    SignatureDemand demand = new SignatureDemand(home.toString());
    Release release = Release.read(directory);
    assertThat(release.artifacts()).allMatch(a -> demand.signatures(a).isEmpty());

    made.replace("a", ".pom", "<name>Child<", "<name>Changed<");
    Files.delete(made.file("a", ".jar.asc"));
    assertThat(demand.signatures(release.artifact("a").orElseThrow()))
        .containsExactly("no a-1.0.jar.asc", "gpg does not accept a-1.0.pom.asc");
    assertThat(demand.signatures(release.artifact("b").orElseThrow())).isEmpty();
  }
}
