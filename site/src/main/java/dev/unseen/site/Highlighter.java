package dev.unseen.site;

import dev.unseen.draw.SvgWriter;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Colours code a little: comments, strings, and the words that a language keeps for itself. What is
 * typed at a prompt stands out from what is printed.
 */
final class Highlighter {
  private static final String DOUBLE = "\"(?:[^\"\\\\\\n]|\\\\.)*\"";
  private static final String SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'";
  private static final String HASH = "(?<![^\\s])#[^\\n]*";
  private static final String SLASHES = "//[^\\n]*|/\\*[\\s\\S]*?\\*/";
  private static final String NONE = "(?!)";

  private static final Pattern SHELL =
      language(HASH, DOUBLE + "|" + SINGLE, "for|do|done|if|then|else|fi|while|until|source|sudo");
  private static final Map<String, Pattern> LANGUAGES =
      Map.ofEntries(
          Map.entry(
              "java",
              language(
                  SLASHES,
                  DOUBLE + "|" + SINGLE,
                  "abstract|boolean|break|case|catch|class|else|extends|final|for|if|implements|"
                      + "import|int|interface|long|new|null|package|private|protected|public|record|"
                      + "return|static|switch|throw|throws|true|false|try|var|void|while")),
          Map.entry("xml", language("<!--[\\s\\S]*?-->", DOUBLE, NONE)),
          Map.entry(
              "python",
              language(
                  HASH, DOUBLE + "|" + SINGLE, "import|from|if|else|for|in|def|return|True|False")),
          Map.entry(
              "js",
              language(
                  SLASHES,
                  DOUBLE + "|" + SINGLE,
                  "import|from|const|let|await|async|return|if|else|function|new|true|false")),
          Map.entry("go", language(SLASHES, DOUBLE, "func|return|if|err|nil|var|package|import")),
          Map.entry(
              "sql",
              language(
                  "--[^\\n]*", SINGLE, "SELECT|FROM|WHERE|OVER|PARTITION|BY|ORDER|AS|CREATE|VIEW")),
          Map.entry("yaml", language(HASH, DOUBLE + "|" + SINGLE, "true|false")),
          Map.entry("properties", language(HASH, NONE, NONE)),
          Map.entry("ini", language(HASH, NONE, "\\[\\w+\\]")),
          Map.entry(
              "dockerfile",
              language(
                  HASH, DOUBLE, "FROM|COPY|VOLUME|USER|EXPOSE|ENTRYPOINT|RUN|CMD|ENV|WORKDIR")),
          Map.entry("sh", SHELL),
          Map.entry("bash", SHELL));

  private static final Pattern COMMANDS =
      Pattern.compile(
          "(\\./unseen|unseen|mvn|bench/|java|flink|redis-cli|docs/build|JAZZER_FUZZ).*",
          Pattern.DOTALL);

  private Highlighter() {}

  private static Pattern language(String comment, String string, String words) {
    return Pattern.compile(
        "(?<c>%s)|(?<s>%s)|(?<k>%s)"
            .formatted(
                comment,
                string,
                words.equals(NONE) || words.startsWith("\\") ? words : "\\b(?:" + words + ")\\b"));
  }

  /** Returns the HTML of a block of code. */
  static String html(String language, String code) {
    if (language.equals("console")) {
      return prompts(code, "$ ");
    }
    if (language.equals("redis")) {
      return prompts(code, "127.0.0.1:7379> ");
    }
    Pattern pattern = LANGUAGES.get(language);
    if (pattern == null && language.isEmpty() && COMMANDS.matcher(code).matches()) {
      pattern = SHELL;
    }
    return pattern == null ? SvgWriter.escape(code) : coloured(pattern, code);
  }

  private static String prompts(String code, String prompt) {
    StringBuilder html = new StringBuilder();
    for (String line : code.lines().map(each -> each + "\n").toList()) {
      if (line.startsWith(prompt)) {
        html.append("<span class=\"prompt\">").append(SvgWriter.escape(prompt)).append("</span>");
        html.append("<span class=\"typed\">")
            .append(SvgWriter.escape(line.substring(prompt.length())));
        html.append("</span>");
      } else {
        html.append("<span class=\"printed\">").append(SvgWriter.escape(line)).append("</span>");
      }
    }
    return html.toString();
  }

  private static String coloured(Pattern pattern, String code) {
    StringBuilder html = new StringBuilder();
    Matcher matcher = pattern.matcher(code);
    int end = 0;
    while (matcher.find()) {
      String kind = matcher.group("c") != null ? "c" : matcher.group("s") != null ? "s" : "k";
      html.append(SvgWriter.escape(code.substring(end, matcher.start())));
      html.append("<span class=\"").append(kind).append("\">");
      html.append(SvgWriter.escape(matcher.group())).append("</span>");
      end = matcher.end();
    }
    return html.append(SvgWriter.escape(code.substring(end))).toString();
  }
}
