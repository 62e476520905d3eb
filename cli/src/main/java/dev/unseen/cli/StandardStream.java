package dev.unseen.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.regex.Pattern;

/** The streams that a process is born with, and the names that files have for them. */
enum StandardStream {
  IN(FileDescriptor.in),
  OUT(FileDescriptor.out),
  ERR(FileDescriptor.err);

  private static final Pattern DESCRIPTOR = Pattern.compile("/(?:dev|proc/self)/fd/\\d+");

  private final FileDescriptor descriptor;

  StandardStream(FileDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Returns the stream that a path stands for; null if it is none of these. */
  static StandardStream named(String path) {
    return switch (path) {
      case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" -> IN;
      case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" -> OUT;
      case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2" -> ERR;
      default -> null;
    };
  }

  /** Returns whether a path stands for a stream that was open when the process began. */
  static boolean isDescriptor(String path) {
    return named(path) != null || DESCRIPTOR.matcher(path).matches();
  }

  /** Returns a path that stands for it. */
  String path() {
    return "/dev/fd/" + ordinal();
  }

  /** Returns where its bytes go. */
  OutputStream output() {
    return new FileOutputStream(descriptor);
  }
}
