package dev.unseen.lab.rival;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A structure with parameters to choose, and the choices worth a run in an arena. */
public interface ContestantFamily {
  /** What the literature calls it. */
  String label();

  /** Whose it is. */
  Role role();

  /** The settings to try with so much memory. */
  List<Setting> settings(Arena arena);

  /** The name on the command line. */
  default String id() {
    return label().toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /** All there are: ours, one for each kind of filter, then the rivals. */
  static List<ContestantFamily> all() {
    List<ContestantFamily> all = new ArrayList<>(FilterFamily.all());
    all.addAll(List.of(RivalFamily.values()));
    return all;
  }
}
