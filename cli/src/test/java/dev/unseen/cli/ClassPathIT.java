package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only {@code unseen lab} carries the lab, and it works; from the sources and from the archive. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ClassPathIT {
  private static final byte[] NOTHING = {};
  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  /** The lab, a rival of its own and the charts of its pages. */
  private static final List<String> LAB = List.of("unseen-lab-", "caffeine-", "echarts-");

  @TempDir static Path dir;
  private static Path home;

  enum Place {
    SOURCES,
    ARCHIVE;

    Path launcher() {
      return this == SOURCES ? MODULE.resolve("../unseen").normalize() : home.resolve("bin/unseen");
    }
  }

  @BeforeAll
  static void unpack() throws IOException {
    home = Distribution.unpack(dir); // Java 17 shares no class of a jar whose path has a space
  }

  @ParameterizedTest
  @EnumSource
  void every_other_command_runs_without_the_lab(Place place) throws IOException {
    List<List<String>> commands =
        List.of(
            List.of("-q"),
            List.of("plan", "--help"),
            List.of("inspect", "--help"),
            List.of("merge", "--help"),
            List.of("help"),
            List.of("help", "plan"));
    for (List<String> command : commands) {
      assertThat(classPath(place, command))
          .as("%s", command)
          .anyMatch(jar -> jar.startsWith("unseen-core-"))
          .anyMatch(jar -> jar.startsWith("unseen-draw-"))
          .noneMatch(jar -> LAB.stream().anyMatch(jar::startsWith));
    }
  }

  @ParameterizedTest
  @EnumSource
  void plots_need_no_lab(Place place) throws IOException {
    for (String format : List.of("svg", "html")) {
      Path plot = dir.resolve(place + "." + format);
      Run run =
          launch(place, "plan", "-m", "1M", "--records", "1M", "--distinct", "50%", "--plot", plot);
      assertThat(run.exitCode()).as(run.stderr()).isZero();
      assertThat(Files.size(plot)).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_lab_is_there_for_those_who_ask(Place place) throws IOException {
    for (List<String> command : List.of(List.of("lab", "--help"), List.of("help", "lab"))) {
      assertThat(LAB)
          .allSatisfy(
              name -> assertThat(classPath(place, command)).anyMatch(jar -> jar.startsWith(name)));
      Run run = launch(place, command.toArray());
      assertThat(run.text()).startsWith("Usage: unseen lab ").contains("reproduce", "frontier");
      assertThat(run.stderr()).isEmpty();
      assertThat(run.exitCode()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_lab_has_its_rivals_and_its_charts(Place place) throws IOException {
    Path out = dir.resolve(place.name());
    Run run =
        launch(
            place,
            "lab",
            "frontier",
            "--synthetic",
            "shuffled:10K:60",
            "--family",
            "caffeine",
            "-m",
            "1K",
            "-o",
            out);
    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(run.text()).contains("Caffeine");
    assertThat(Files.readString(out.resolve("index.html"))).contains("Apache Software Foundation");
  }

  /** The archive of loaded classes is made without the lab, whose jars therefore come last. */
  @ParameterizedTest
  @EnumSource
  void the_lab_starts_from_the_archive_of_classes_too(Place place) throws IOException {
    launch(place, "-q"); // which makes the archive
    Path log = dir.resolve(place + ".classes");
    ProcessBuilder builder = builder(place, "lab", "--help");
    builder.environment().put("UNSEEN_JAVA_OPTS", "-Xlog:class+load:file=" + log.getFileName());
    assertThat(Run.of(NOTHING, builder.directory(dir.toFile())).exitCode()).isZero();
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains("picocli.CommandLine source: shared objects file"))
        .anyMatch(line -> line.contains("dev.unseen.cli.Main source: shared objects file"));
  }

  @Test
  void without_its_jars_the_lab_is_rejected_with_the_remedy() {
    String java = System.getProperty("java.home") + "/bin/java";
    String jar = MODULE.resolve("target/unseen-cli.jar").toString();
    for (List<String> command : List.of(List.of("lab"), List.of("help", "lab"))) {
      ProcessBuilder builder = Run.plain(new ProcessBuilder(java, "-jar", jar));
      builder.command().addAll(command);
      Run run = Run.of(NOTHING, builder);
      assertThat(run.stderr())
          .startsWith("unseen: the jars of 'lab' are not on the class path; start it with ");
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  /** The names of the jars that Java was given, and of those that their manifests name. */
  private static List<String> classPath(Place place, List<String> command) throws IOException {
    ProcessBuilder builder = builder(place, command.toArray());
    builder.environment().put("UNSEEN_JAVA_OPTS", "-XshowSettings:properties");
    Run run = Run.of(NOTHING, builder);
    assertThat(run.exitCode()).as(run.stderr()).isZero();
    String settings = run.stderr();
    List<String> names = new ArrayList<>();
    String first = settings.substring(settings.indexOf("java.class.path = "));
    List<String> jars =
        Pattern.compile("(?: = |\\G\\R +)(\\S.*\\.jar)(?=\\R)")
            .matcher(first)
            .results()
            .map(found -> found.group(1))
            .toList();
    for (String jar : jars) {
      names.add(Path.of(jar).getFileName().toString());
      try (JarFile file = new JarFile(jar)) {
        String more =
            file.getManifest() == null
                ? null
                : file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        for (String path : more == null ? new String[0] : more.split(" ")) {
          Path resolved = Path.of(jar).resolveSibling(path);
          if (Files.exists(resolved)) {
            names.add(resolved.getFileName().toString());
          }
        }
      }
    }
    return names;
  }

  private static Run launch(Place place, Object... args) {
    return Run.of(NOTHING, builder(place, args));
  }

  private static ProcessBuilder builder(Place place, Object... args) {
    ProcessBuilder builder = Run.quick(new ProcessBuilder(place.launcher().toString()));
    for (Object arg : args) {
      builder.command().add(arg.toString());
    }
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }
}
