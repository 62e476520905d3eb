import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Continues with the state that the shell has saved. */
public class Resume {
  static String page(String line) { // {"page":"/42","n":7} has the key /42
    int from = line.indexOf(":\"") + 2;
    return line.substring(from, line.indexOf('"', from));
  }

  public static void main(String[] args) throws Exception {
    Deduplicator<String> dedup =
        Deduplicator.builder(Keys.named("key page", Keys.utf8(Resume::page))).load(Path.of(args[0]));
    System.out.println("the shell has let through: " + dedup.admitted());
    try (Stream<String> lines = Files.lines(Path.of(args[1]))) {
      System.out.println("new in the file: " + dedup.through(lines, () -> true).count());
    }
    System.out.println("a page nobody asked for: " + dedup.admit("{\"page\":\"/impressum\"}"));
    System.out.println("the same page again: " + dedup.admit("{\"page\":\"/impressum\"}"));
  }
}
