package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a key, and of a time, as a tree, so that one pass over a JSON value finds them all.
 *
 * <p>A path is names with dots between them, as {@code user.name}, with or without a first dot.
 * Places in arrays count from 0, or from the end if they are negative: {@code items[0]}, {@code
 * items[-1].id}; {@code items.0} is the same as {@code items[0]}.
 */
final class JsonPaths {
  private static final Pattern PLACE = Pattern.compile("-?(0|[1-9]\\d{0,4})");

  /** A step on the way. */
  static final class Step {
    private byte[][] names = {}; // of the next steps, in UTF-8
    private Step[] named = {};
    private int[] indexes = {}; // of places in arrays
    private Step[] placed = {};
    int[] below = {}; // the parts further down
    int part = -1; // of the key that ends here; -1: none does
    int fromEnd; // how many of the last places of an array any step wants

    /** The step to the field whose name these bytes are, or null. */
    @Nullable Step field(byte[] bytes, int from, int to) {
      for (int i = 0; i < names.length; i++) {
        byte[] name = names[i];
        if (name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to)) {
          return named[i];
        }
      }
      return null;
    }

    /** The step to a place in an array, or null; negative places count from its end. */
    @Nullable Step place(int index) {
      for (int i = 0; i < indexes.length; i++) {
        if (indexes[i] == index) {
          return placed[i];
        }
      }
      return null;
    }

    private Step add(Object step) {
      byte[] name = step.toString().getBytes(UTF_8);
      boolean isPlace = step instanceof Integer || PLACE.matcher(step.toString()).matches();
      boolean isName = step instanceof String || (int) step >= 0;
      Step known = isName ? field(name, 0, name.length) : place((int) step);
      if (known != null) {
        return known;
      }
      Step next = new Step();
      if (isName) {
        names = Arrays.copyOf(names, names.length + 1);
        names[names.length - 1] = name;
        named = Arrays.copyOf(named, names.length);
        named[names.length - 1] = next;
      }
      if (isPlace && !(isName && step.toString().startsWith("-"))) {
        int index = Integer.parseInt(step.toString());
        indexes = Arrays.copyOf(indexes, indexes.length + 1);
        indexes[indexes.length - 1] = index;
        placed = Arrays.copyOf(placed, indexes.length);
        placed[indexes.length - 1] = next;
        fromEnd = Math.max(fromEnd, -index);
      }
      return next;
    }
  }

  final Step root = new Step();
  final int keyParts; // how many of the paths, the first ones, are parts of the key
  final int timePart; // which path is the time; -1: none. It may be a part of the key as well
  private final List<String> paths;

  /**
   * The paths of a key and of a time.
   *
   * @param time null if there is none
   */
  JsonPaths(KeySpec key, @Nullable String time) {
    List<String> all = new ArrayList<>(key.fields().stream().distinct().toList());
    keyParts = all.size();
    if (time != null && !all.contains(time)) {
      all.add(time);
    }
    timePart = time == null ? -1 : all.indexOf(time);
    paths = List.copyOf(all);
    for (int part = 0; part < paths.size(); part++) {
      add(part, steps(paths.get(part)));
    }
  }

  /** The path to one field with this name, whatever characters it has. */
  JsonPaths(String name) {
    paths = List.of(name);
    keyParts = 1;
    timePart = -1;
    add(0, List.of(name));
  }

  private void add(int part, List<Object> steps) {
    Step step = root;
    for (Object next : steps) {
      step.below = Arrays.copyOf(step.below, step.below.length + 1);
      step.below[step.below.length - 1] = part;
      step = step.add(next);
    }
    if (step.part >= 0) {
      throw new IllegalArgumentException(
          "'%s' and '%s' are the same field; name it once"
              .formatted(paths.get(step.part), paths.get(part)));
    }
    step.part = part;
  }

  /** Names as text, places as numbers. */
  private static List<Object> steps(String path) {
    List<Object> steps = new ArrayList<>();
    String trimmed = path.startsWith(".") && path.length() > 1 ? path.substring(1) : path;
    for (String piece : KeySpec.split(trimmed, '.')) {
      List<String> parts = KeySpec.split(piece, '[');
      String name = parts.get(0);
      if (!name.isEmpty()) {
        steps.add(KeySpec.unescape(name));
      } else if (parts.size() == 1) {
        throw new IllegalArgumentException(
            "key '%s' has an empty name between dots; write it as user.name".formatted(path));
      }
      for (String bracket : parts.subList(1, parts.size())) {
        steps.add(place(bracket, path));
      }
    }
    return steps;
  }

  private static Integer place(String bracket, String path) {
    String inside = bracket.endsWith("]") ? bracket.substring(0, bracket.length() - 1) : "";
    Matcher place = PLACE.matcher(inside);
    if (!place.matches()) {
      throw new IllegalArgumentException(
          "key '%s' must have a number in brackets, as in items[0] or items[-1]; write \\[ for a bracket in a name"
              .formatted(path));
    }
    return Integer.valueOf(inside);
  }

  int count() {
    return paths.size();
  }

  /** Returns the path of a part of the key, as it was written. */
  String path(int part) {
    return paths.get(part);
  }
}
