package dev.unseen.lab.stream;

import java.util.ArrayList;
import java.util.List;

/**
 * A synthetic stream with a name: {@code loop:1600000:400000} goes round 400,000 keys for 1.6
 * million records. {@link #help} lists all forms.
 *
 * @param uniformKeys whether all keys seen so far are equally likely to come again
 */
public record NamedStream(String name, SyntheticStream stream, boolean uniformKeys) {
  /**
   * The streams on which every filter is measured, in addition to real traces. Each has one
   * property that a trace may have.
   */
  public static final List<String> USUAL =
      List.of(
          "loop:400K:100K",
          "loop-noise:400K:80K:20",
          "day-twice:400K:60K",
          "scan:400K:40K:40",
          "shift:400K:40K:10",
          "twice:400K:80K");

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException if it has another form; the message shows the expected one
   */
  public static NamedStream parse(String name, long seed) {
    StreamForm form = StreamForm.of(name);
    return new NamedStream(name, form.create(name, seed), form.uniformKeys());
  }

  /** Returns a name of each form. */
  public static List<String> examples() {
    return StreamForm.ALL.stream().map(StreamForm::example).toList();
  }

  /** Describes all forms, in lines for the help of a command. */
  public static List<String> help() {
    List<String> lines = new ArrayList<>();
    for (StreamForm form : StreamForm.ALL) {
      lines.add("  " + form.form());
      lines.add("      " + form.meaning());
    }
    return lines;
  }
}
