package dev.unseen.site;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.commonmark.node.Heading;

/**
 * A heading, and the name by which a link finds it.
 *
 * @param id the name, as GitHub makes it: a link works there and here
 */
record Anchor(Heading heading, String text, String id) {
  private static final Pattern DROPPED =
      Pattern.compile("[^\\w\\- ]+", Pattern.UNICODE_CHARACTER_CLASS);

  int level() {
    return heading.getLevel();
  }

  /** Makes the names of one document, in order; a heading that comes again gets a number. */
  static final class Names {
    private final Map<String, Integer> used = new HashMap<>();

    String next(String text) {
      String name =
          DROPPED.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("").strip().replace(' ', '-');
      int before = used.merge(name, 1, Integer::sum) - 1;
      return before == 0 ? name : name + "-" + before;
    }
  }
}
