package dev.unseen.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds packages that depend on each other in a circle, by the imports of their sources. */
public final class PackageCycles {
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?([a-z][\\w.]*?)\\.[A-Z]", Pattern.MULTILINE);

  private final Map<String, Set<String>> imports = new TreeMap<>();

  private PackageCycles() {}

  /**
   * Returns the cycles among the packages below a directory of sources, each as {@code a -> b ->
   * a}.
   *
   * @param sources such as {@code src/main/java}
   */
  public static List<String> in(Path sources) throws IOException {
    PackageCycles all = new PackageCycles();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        all.read(Files.readString(file));
      }
    }
    List<String> cycles = new ArrayList<>();
    for (String start : all.imports.keySet()) {
      all.follow(start, new ArrayList<>(List.of(start)), new TreeSet<>(), cycles);
    }
    return cycles;
  }

  private void read(String source) {
    Matcher found = PACKAGE.matcher(source);
    if (found.find()) {
      Set<String> of = imports.computeIfAbsent(found.group(1), name -> new TreeSet<>());
      IMPORT.matcher(source).results().forEach(each -> of.add(each.group(1)));
      of.remove(found.group(1));
    }
  }

  /** Adds the shortest way found back to the start, if the start is the first package on it. */
  private void follow(String start, List<String> way, Set<String> seen, List<String> cycles) {
    for (String next : imports.get(way.get(way.size() - 1))) {
      if (next.equals(start)) {
        cycles.add(String.join(" -> ", way) + " -> " + start);
        return;
      }
      if (imports.containsKey(next) && next.compareTo(start) > 0 && seen.add(next)) {
        way.add(next);
        follow(start, way, seen, cycles);
        way.remove(way.size() - 1);
      }
    }
  }
}
