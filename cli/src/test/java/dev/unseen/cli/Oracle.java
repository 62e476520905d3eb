package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The exact answer, by the simplest code: every byte on its own, every line remembered. */
final class Oracle {
  private Oracle() {}

  /** The lines of an input, the last one also if no newline ends it. */
  static List<byte[]> lines(byte[] input) {
    List<byte[]> lines = new ArrayList<>();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (byte b : input) {
      if (b == '\n') {
        lines.add(line.toByteArray());
        line.reset();
      } else {
        line.write(b);
      }
    }
    if (line.size() > 0) {
      lines.add(line.toByteArray());
    }
    return lines;
  }

  /** The first occurrences, each with a newline. */
  static byte[] dedup(byte[]... inputs) {
    Set<String> seen = new HashSet<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] input : inputs) {
      for (byte[] line : lines(input)) {
        if (seen.add(new String(line, ISO_8859_1))) { // a character for each byte
          out.writeBytes(line);
          out.write('\n');
        }
      }
    }
    return out.toByteArray();
  }
}
