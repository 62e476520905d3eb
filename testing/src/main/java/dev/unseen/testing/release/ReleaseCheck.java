package dev.unseen.testing.release;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a directory to which Maven has deployed: {@code release/check [--unsigned] DIR}.
 *
 * <p>It prints a line for each demand and, below one that is not met, what is wrong with which
 * artifact. The exit code is 0 if all are met, 1 if not, and 2 if the arguments are wrong.
 */
public final class ReleaseCheck {
  private static final String USAGE =
      """
      Usage: release/check [--unsigned] DIR
      Checks the artifacts that `mvn -Prelease deploy` has put into DIR.
        --unsigned   Do not ask for signatures.
      """;

  private final PrintStream out;
  private final boolean colours;
  private int failed;

  private ReleaseCheck(PrintStream out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  /** Runs the check and ends the process with its exit code. */
  public static void main(String[] args) {
    // The script that starts this knows whether a terminal reads it.
    System.exit(run(List.of(args), System.out, System.err, Boolean.getBoolean("colours")));
  }

  static int run(List<String> args, PrintStream out, PrintStream err, boolean colours) {
    List<String> rest = new ArrayList<>(args);
    boolean signed = !rest.remove("--unsigned");
    if (rest.size() != 1 || rest.get(0).startsWith("-")) {
      err.print(USAGE);
      return 2;
    }
    Path directory = Path.of(rest.get(0));
    if (!Files.isDirectory(directory)) {
      err.println("release/check: %s is no directory".formatted(directory));
      return 2;
    }
    Release release;
    try {
      release = Release.read(directory);
    } catch (IllegalArgumentException e) {
      err.println("release/check: " + e.getMessage());
      return 1;
    }
    if (release.artifacts().isEmpty()) {
      err.println("release/check: no POM in %s; deploy to it before".formatted(directory));
      return 1;
    }
    ReleaseCheck check = new ReleaseCheck(out, colours);
    check.run(release, signed);
    return check.failed == 0 ? 0 : 1;
  }

  private void run(Release release, boolean signed) {
    String version = release.artifacts().get(0).version();
    out.println("%d artifacts, %s".formatted(release.artifacts().size(), version));
    release.artifacts().forEach(a -> out.println("     " + a.artifactId()));
    List<Demand> demands = new ArrayList<>(Demand.ALL);
    if (signed) {
      SignatureDemand signatures = new SignatureDemand("");
      demands.add(new Demand(SignatureDemand.TEXT, (a, r) -> signatures.signatures(a)));
    }
    demands.forEach(d -> check(d, release));
    if (!signed) {
      out.println(" --  " + SignatureDemand.TEXT + ": left out (--unsigned)");
    }
    if (version.endsWith("-SNAPSHOT")) {
      out.println(
          " --  a released version: %s is not one yet, and Central refuses it".formatted(version));
    }
    out.println(
        failed == 0
            ? "all %d demands are met".formatted(demands.size())
            : "%d of %d demands are not met".formatted(failed, demands.size()));
  }

  private void check(Demand demand, Release release) {
    List<String> problems = new ArrayList<>();
    for (Artifact artifact : release.artifacts()) {
      for (String problem : demand.check().apply(artifact, release)) {
        problems.add(artifact.artifactId() + ": " + problem);
      }
    }
    if (problems.isEmpty()) {
      out.println(coloured(32, " ok  ") + demand.text());
    } else {
      failed++;
      out.println(coloured(31, "FAIL ") + demand.text());
      problems.forEach(p -> out.println("       " + p));
    }
  }

  private String coloured(int colour, String text) {
    return colours ? "\u001b[%dm%s\u001b[0m".formatted(colour, text) : text;
  }
}
