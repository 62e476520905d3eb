package dev.unseen.cli.dedup;

import java.util.Set;
import java.util.regex.Pattern;

/** The names that files have for streams that were open when the process began. */
final class StandardStreams {
  /** A path that stands for standard input. */
  static final String IN = "/dev/fd/0";

  /** A path that stands for standard output. */
  static final String OUT = "/dev/fd/1";

  private static final Set<String> OUTS = Set.of("/dev/stdout", OUT, "/proc/self/fd/1");
  private static final Set<String> ERRS = Set.of("/dev/stderr", "/dev/fd/2", "/proc/self/fd/2");
  private static final Pattern ANY =
      Pattern.compile("/dev/std(in|out|err)|/(dev|proc/self)/fd/\\d+");

  private StandardStreams() {}

  static boolean isOutput(String path) {
    return OUTS.contains(path);
  }

  static boolean isError(String path) {
    return ERRS.contains(path);
  }

  /** Returns whether a path stands for any stream that was open when the process began. */
  static boolean isOne(String path) {
    return ANY.matcher(path).matches();
  }
}
