package dev.unseen.lab.rival;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A structure with parameters, and the settings that are worth a run in an arena. */
public interface ContestantFamily {
  String label();

  Role role();

  List<Setting> settings(Arena arena);

  /** Returns its name on the command line. */
  default String id() {
    return label().toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /** Returns all families: one for each kind of our filters, then the rivals. */
  static List<ContestantFamily> all() {
    List<ContestantFamily> all = new ArrayList<>(FilterFamily.all());
    all.addAll(RivalFamily.ALL);
    return all;
  }
}
