package dev.unseen.spring.idempotent;

import java.util.ArrayList;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/**
 * Compares paths as Spring does when it looks for a handler: segments are decoded, and their
 * parameters do not count. {@code /a}, {@code /%61} and {@code /a;x=1} are one path; {@code /a%2Fb}
 * and {@code /a/b} are two.
 */
final class RequestPaths {
  private RequestPaths() {}

  /** Returns a text that is equal for equal paths. */
  static String key(PathContainer path) {
    return KeyText.join(parts(path));
  }

  /** Returns the decoded path, without parameters. */
  static String decoded(PathContainer path) {
    return String.join("", parts(path));
  }

  private static List<String> parts(PathContainer path) {
    List<String> parts = new ArrayList<>();
    for (PathContainer.Element element : path.elements()) {
      parts.add(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
    }
    return parts;
  }
}
