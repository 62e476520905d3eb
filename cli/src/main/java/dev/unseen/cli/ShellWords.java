package dev.unseen.cli;

import dev.unseen.cli.option.ParameterText;
import dev.unseen.filter.Parameter;
import java.util.Optional;

/** Puts messages of the engine, which knows no command line, into the words of the shell. */
final class ShellWords {
  private static final String LARGER_HEAP = "start Java with a larger -Xmx";

  private ShellWords() {}

  /** Returns a message with the names of options instead of those of the Java API. */
  static String of(String message) {
    String text = message;
    for (Parameter<?> parameter : Parameter.all()) {
      String name = parameter.name() + " ";
      Optional<String> option = ParameterText.option(parameter);
      if (text.startsWith(name) && option.isPresent()) {
        text = option.get().substring(2) + text.substring(name.length() - 1);
      }
    }
    return text.replace(LARGER_HEAP, "give Java more memory: UNSEEN_JAVA_OPTS=-XmxSIZE");
  }
}
