package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The exported types and their public members are those of the committed list, until there is a
 * release to compare with. After a change on purpose, write the list again:
 *
 * <pre>
 * mvn -pl core -am test -Dtest=ExportedApiTest -Dsurefire.failIfNoSpecifiedTests=false -Dapi.write=true
 * </pre>
 */
final class ExportedApiTest {
  private static final int MOST_TYPES = 35;
  private static final Path LIST =
      Path.of(System.getProperty("basedir", "."), "src/test/resources/dev/unseen/exported-api.txt");

  @Test
  void the_exported_signatures_are_those_of_the_list() throws Exception {
    List<String> signatures = new ArrayList<>();
    for (Class<?> type : exported()) {
      describe(type, signatures);
    }
    if (Boolean.getBoolean("api.write")) {
      Files.write(LIST, signatures);
    }
    List<String> listed = Files.readAllLines(LIST);
    assertThat(without(signatures, listed)).as("exported, and not in the list").isEmpty();
    assertThat(without(listed, signatures)).as("in the list, and not exported").isEmpty();
    assertThat(signatures).isEqualTo(listed);
  }

  @Test
  void few_types_are_exported() throws Exception {
    assertThat(exported().size()).isLessThanOrEqualTo(MOST_TYPES);
  }

  /** Only our own modules call what shows hidden types, and only a state has such methods. */
  @Test
  void hidden_types_are_not_shown() throws Exception {
    ModuleDescriptor module =
        ModuleFinder.of(classes()).find("dev.unseen.core").orElseThrow().descriptor();
    List<String> hidden = new ArrayList<>(module.packages());
    module.exports().stream().filter(e -> !e.isQualified()).forEach(e -> hidden.remove(e.source()));
    assertThat(Files.readAllLines(LIST))
        .filteredOn(line -> !line.contains(" dev.unseen.snapshot.Snapshot."))
        .allSatisfy(
            line ->
                assertThat(hidden)
                    .noneMatch(
                        name -> line.matches(".*" + name.replace(".", "\\.") + "\\.[A-Z].*")));
  }

  /** Returns lines that are only in the first list, each after the type that it belongs to. */
  private static List<String> without(List<String> all, List<String> known) {
    List<String> rest = new ArrayList<>();
    String type = "";
    for (String line : all) {
      type = line.startsWith(" ") ? type : line;
      if (!known.contains(line)) {
        rest.add(line.startsWith(" ") ? type + ":" + line : line);
      }
    }
    return rest;
  }

  private static Path classes() throws Exception {
    return Path.of(Gate.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Returns the public top-level types of the packages that all modules may use. */
  private static List<Class<?>> exported() throws Exception {
    ModuleDescriptor module =
        ModuleFinder.of(classes()).find("dev.unseen.core").orElseThrow().descriptor();
    List<Class<?>> types = new ArrayList<>();
    for (ModuleDescriptor.Exports export : module.exports()) {
      if (!export.isQualified()) {
        for (String name : namesIn(export.source())) {
          Class<?> type = Class.forName(name, false, Gate.class.getClassLoader());
          if (Modifier.isPublic(type.getModifiers())) {
            types.add(type);
          }
        }
      }
    }
    types.sort((a, b) -> a.getName().compareTo(b.getName()));
    return types;
  }

  private static List<String> namesIn(String packageName) throws Exception {
    try (Stream<Path> files = Files.list(classes().resolve(packageName.replace('.', '/')))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".class") && !file.contains("$") && !file.contains("-"))
          .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
          .toList();
    }
  }

  private static void describe(Class<?> type, List<String> to) {
    to.add(
        type.toGenericString().replace("sealed ", "")); // which only newer versions of Java print
    Stream.of(
            Stream.<Member>of(type.getDeclaredFields()),
            Stream.<Member>of(type.getDeclaredConstructors()),
            Stream.<Member>of(type.getDeclaredMethods()))
        .flatMap(members -> members)
        .filter(member -> !member.isSynthetic())
        .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
        .map(ExportedApiTest::signature)
        .sorted()
        .forEach(line -> to.add("  " + line));
    Stream.of(type.getDeclaredClasses())
        .filter(nested -> Modifier.isPublic(nested.getModifiers()))
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .forEach(nested -> describe(nested, to));
  }

  private static String signature(Member member) {
    return member instanceof Executable method
        ? method.toGenericString()
        : ((Field) member).toGenericString();
  }
}
