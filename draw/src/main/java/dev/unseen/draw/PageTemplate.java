package dev.unseen.draw;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills the slots of an HTML page, so that it is one text that loads nothing: style, scripts, chart
 * library and data are all inside.
 *
 * <p>A slot such as <code>{{title}}</code> has a name that was given a text; or {@code
 * shared/page.css} and {@code shared/theme.js}, which make all pages look alike, in light and dark;
 * or it is the name of a resource whose text goes there.
 */
public final class PageTemplate {
  private static final Pattern SLOT = Pattern.compile("\\{\\{([^{}\\s]+)}}");
  private static final String SHARED = "shared/";

  private final Class<?> owner;
  private final Map<String, String> texts = new HashMap<>();

  /**
   * Creates a template whose resources are in the directory {@code page} next to a class.
   *
   * @param owner that class
   */
  public PageTemplate(Class<?> owner) {
    this.owner = owner;
  }

  /** Sets the text of a slot, which is shown as it is. */
  public PageTemplate text(String slot, String text) {
    texts.put(slot, SvgWriter.escape(text));
    return this;
  }

  /** Sets the HTML of a slot, which goes there as it is. */
  public PageTemplate html(String slot, String html) {
    texts.put(slot, html);
    return this;
  }

  /**
   * Sets the JSON of a slot inside a script. Each {@code <}, which in JSON is always inside a
   * string, is escaped, so that it can neither end the script nor open a comment.
   */
  public PageTemplate json(String slot, String json) {
    texts.put(slot, json.replace("<", "\\u003c"));
    return this;
  }

  /** Returns the page whose slots are those of a resource. */
  public String fill(String name) throws IOException {
    Matcher slot = SLOT.matcher(resource(name));
    StringBuilder page = new StringBuilder();
    while (slot.find()) {
      String text = texts.get(slot.group(1));
      slot.appendReplacement(
          page, Matcher.quoteReplacement(text != null ? text : resource(slot.group(1))));
    }
    return slot.appendTail(page).toString();
  }

  /** A name with a leading slash is relative to the root of the class path. */
  private String resource(String name) throws IOException {
    boolean shared = name.startsWith(SHARED);
    Class<?> from = shared ? PageTemplate.class : owner;
    String path =
        shared ? name.substring(SHARED.length()) : name.startsWith("/") ? name : "page/" + name;
    try (InputStream in = from.getResourceAsStream(path)) {
      if (in == null) {
        throw new FileNotFoundException("resource '%s' of the page is missing".formatted(name));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
