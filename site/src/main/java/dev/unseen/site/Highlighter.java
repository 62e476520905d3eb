package dev.unseen.site;

import dev.unseen.draw.SvgWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Colors code a little: comments, strings, and the words that a language keeps for itself. What is
 * typed at a prompt stands out from what is printed.
 */
final class Highlighter {
  private static final String DOUBLE = "\"(?:[^\"\\\\\\n]|\\\\.)*\"";
  private static final String SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'";

  /** Java, JavaScript and Go. */
  private static final Pattern BRACES =
      language(
          "//[^\\n]*|/\\*[\\s\\S]*?\\*/",
          "abstract|async|await|boolean|break|case|catch|class|const|else|extends|false|final|for|"
              + "from|func|function|if|implements|import|int|interface|let|long|new|nil|null|package|"
              + "private|protected|public|record|return|static|switch|throw|throws|true|try|var|void|"
              + "while");

  /** Whatever has comments after a hash: shell, Python, YAML, properties, Dockerfile. */
  private static final Pattern HASHES =
      language(
          "(?<![^\\s])#[^\\n]*",
          "def|do|done|else|false|fi|for|from|if|import|return|source|sudo|then|true|until|while|"
              + "False|True|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|RUN|USER|VOLUME|WORKDIR");

  private static final Pattern SQL =
      language("--[^\\n]*", "SELECT|FROM|WHERE|OVER|PARTITION|BY|ORDER|AS|CREATE|VIEW");
  private static final Pattern XML = language("<!--[\\s\\S]*?-->", "(?!)");

  private static final Pattern COMMANDS =
      Pattern.compile(
          "(\\./unseen|unseen|mvn|bench/|java|flink|redis-cli|docs/build|JAZZER_FUZZ).*",
          Pattern.DOTALL);

  private Highlighter() {}

  private static Pattern language(String comment, String words) {
    return Pattern.compile(
        "(?<c>%s)|(?<s>%s|%s)|(?<k>\\b(?:%s)\\b)".formatted(comment, DOUBLE, SINGLE, words));
  }

  static String html(String language, String code) {
    if (language.equals("console")) {
      return prompts(code, "$ ");
    }
    if (language.equals("redis")) {
      return prompts(code, "127.0.0.1:7379> ");
    }
    Pattern pattern = pattern(language, code);
    return pattern == null ? SvgWriter.escape(code) : colored(pattern, code);
  }

  private static Pattern pattern(String language, String code) {
    return switch (language) {
      case "java", "js", "go" -> BRACES;
      case "sh", "bash", "python", "yaml", "properties", "ini", "dockerfile" -> HASHES;
      case "sql" -> SQL;
      case "xml" -> XML;
      case "" -> COMMANDS.matcher(code).matches() ? HASHES : null;
      default -> null;
    };
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

  private static String colored(Pattern pattern, String code) {
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
