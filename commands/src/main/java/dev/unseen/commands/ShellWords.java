package dev.unseen.commands;

import dev.unseen.filter.Parameter;

/** Puts messages of the engine, which knows no command line, into the words of the shell. */
public final class ShellWords {
  private static final String LARGER_HEAP = "start Java with a larger -Xmx";

  private ShellWords() {}

  /** Returns a message with the names of options instead of those of the Java API. */
  public static String of(String message) {
    String text = message;
    for (Parameter<?> parameter : Parameter.all()) {
      String name = parameter.name() + " (";
      if (text.startsWith(name) && parameter.option().isPresent()) {
        text = parameter.option().get().substring(2) + text.substring(name.length() - 2);
      }
    }
    return text.replace(LARGER_HEAP, "give Java more memory: UNSEEN_JAVA_OPTS=-XmxSIZE");
  }
}
