package dev.unseen.spring.idempotent;

import java.util.List;

/**
 * Reads the key of a request from a header. The key may be quoted, as draft-ietf-httpapi-
 * idempotency-key-header asks for: a string of RFC 9651, section 3.3.3. A key with quotes and the
 * same key without them are equal.
 */
final class HeaderKey {
  private static final char QUOTE = '"';
  private static final char ESCAPE = '\\';

  private HeaderKey() {}

  /**
   * Returns the key, or null if there is none.
   *
   * @param values the values of the header, one for each time that the request has it
   * @throws MalformedKeyException if there are several, because no rule says which one counts, or
   *     it is quoted, but not as a string must be
   */
  static String of(String header, List<String> values) {
    if (values.size() > 1) {
      throw MalformedKeyException.several(header, values.size());
    }
    if (values.isEmpty()) {
      return null;
    }
    String text = values.get(0).strip();
    return KeyText.of(text.indexOf(QUOTE) == 0 ? unquote(header, text) : text);
  }

  private static String unquote(String header, String text) {
    StringBuilder key = new StringBuilder(text.length());
    int at = 1;
    while (at < text.length() && text.charAt(at) != QUOTE) {
      char next = text.charAt(at);
      if (next == ESCAPE) {
        at++;
        next = at < text.length() ? text.charAt(at) : ESCAPE;
        if (next != QUOTE && (next != ESCAPE || at == text.length())) {
          throw MalformedKeyException.quoted(
              header, "a backslash must be followed by a quote or a backslash");
        }
      } else if (next < ' ' || next > '~') {
        throw MalformedKeyException.quoted(header, "it may contain printable ASCII only");
      }
      key.append(next);
      at++;
    }
    if (at >= text.length()) {
      throw MalformedKeyException.quoted(header, "the closing quote is missing");
    }
    if (at < text.length() - 1) {
      throw MalformedKeyException.quoted(header, "nothing may follow the closing quote");
    }
    return key.toString();
  }
}
