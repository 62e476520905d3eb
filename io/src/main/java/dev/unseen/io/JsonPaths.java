package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The paths of a key as a tree, so that one pass over a JSON value finds them all. */
final class JsonPaths {
  /** A step on the way; its part of the key is -1 if no path ends here. */
  static final class Step {
    private final Map<String, Step> next = new HashMap<>();
    private byte[][] names = {}; // of the next steps, in UTF-8
    private Step[] steps = {};
    private int part = -1;

    int part() {
      return part;
    }

    /** The step to the field with this name, or null. */
    Step field(String name) {
      return next.get(name);
    }

    /** The step to the field whose name these bytes are, or null. */
    Step field(byte[] bytes, int from, int to) {
      for (int i = 0; i < names.length; i++) {
        byte[] name = names[i];
        if (name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to)) {
          return steps[i];
        }
      }
      return null;
    }

    /** The step to the place in an array, or null. */
    Step place(int index) {
      return next.isEmpty() ? null : next.get(Integer.toString(index));
    }

    private Step add(String name) {
      Step step = next.get(name);
      if (step == null) {
        step = new Step();
        next.put(name, step);
        names = Arrays.copyOf(names, names.length + 1);
        names[names.length - 1] = name.getBytes(UTF_8);
        steps = Arrays.copyOf(steps, names.length);
        steps[names.length - 1] = step;
      }
      return step;
    }
  }

  private final Step root = new Step();
  private final List<String> paths;

  JsonPaths(KeySpec key) {
    paths = key.fields().stream().distinct().toList();
    for (int part = 0; part < paths.size(); part++) {
      Step step = root;
      for (String name : KeySpec.split(paths.get(part), '.')) {
        if (name.isEmpty()) {
          throw new IllegalArgumentException(
              "key '%s' has an empty name between dots; write it as user.name"
                  .formatted(paths.get(part)));
        }
        step = step.add(KeySpec.unescape(name));
      }
      step.part = part;
    }
  }

  Step root() {
    return root;
  }

  int count() {
    return paths.size();
  }

  /** The path of a part of the key, as it was written. */
  String path(int part) {
    return paths.get(part);
  }
}
