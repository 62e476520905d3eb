package dev.unseen.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds packages that import each other, directly or through others. */
public final class PackageCycles {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?([a-z\\d_.]+)\\.[A-Z]");

  private final Map<String, Set<String>> imports = new TreeMap<>();

  private PackageCycles() {}

  /**
   * Returns the packages of a tree of sources that are part of a cycle, each with the packages of
   * the cycle that it imports.
   *
   * @param sources the directory of the sources, such as {@code src/main/java}
   */
  public static List<String> in(Path sources) throws IOException {
    PackageCycles found = new PackageCycles();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        found.read(Files.readString(file));
      }
    }
    return found.cycles();
  }

  private void read(String source) {
    Matcher name = PACKAGE.matcher(source);
    if (name.find()) {
      Set<String> used = imports.computeIfAbsent(name.group(1), any -> new TreeSet<>());
      IMPORT.matcher(source).results().map(found -> found.group(1)).forEach(used::add);
      used.remove(name.group(1));
    }
  }

  private List<String> cycles() {
    return imports.keySet().stream()
        .filter(one -> reached(one).contains(one))
        .map(one -> one + " imports " + String.join(", ", backTo(one)))
        .toList();
  }

  private List<String> backTo(String one) {
    return imports.get(one).stream().filter(used -> reached(used).contains(one)).toList();
  }

  /** Returns the packages that one imports, directly or through others. */
  private Set<String> reached(String from) {
    Set<String> reached = new TreeSet<>();
    visit(from, reached);
    return reached;
  }

  private void visit(String from, Set<String> reached) {
    for (String used : imports.getOrDefault(from, Set.of())) {
      if (imports.containsKey(used) && reached.add(used)) {
        visit(used, reached);
      }
    }
  }
}
