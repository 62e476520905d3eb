package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A structure with parameters.
 *
 * @param id its name on the command line
 * @param label its name in the literature
 * @param sweep adds the settings that are worth a run
 */
public record ContestantFamily(String id, String label, Role role, Consumer<Settings> sweep) {
  private static final List<ContestantFamily> ALL =
      Stream.concat(
              Arrays.stream(FilterKind.values()).map(FilterFamily::of), RivalFamily.all().stream())
          .toList();

  /** Returns all families: one for each kind of our filters, then the rivals. */
  public static List<ContestantFamily> all() {
    return ALL;
  }

  /** Creates a family whose name on the command line follows from its label. */
  static ContestantFamily of(String label, Role role, Consumer<Settings> sweep) {
    String id = label.toLowerCase(Locale.ROOT).replace(' ', '-');
    return new ContestantFamily(id, label, role, sweep);
  }

  /** Returns the settings that are worth a run in an arena. */
  public List<Setting> settings(Arena arena) {
    Settings settings = new Settings(this, arena);
    sweep.accept(settings);
    return settings.all();
  }
}
