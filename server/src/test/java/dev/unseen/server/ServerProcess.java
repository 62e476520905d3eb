package dev.unseen.server;

import dev.unseen.testing.UnseenProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, at a free port. */
public final class ServerProcess extends UnseenProcess {
  private static final Pattern LAUNCHER_OPTIONS =
      Pattern.compile("\\[ \"\\$topic\" != serve ] \\|\\| options\\+=\\(([^)]*)\\)");

  public ServerProcess(Path directory, String... args) throws IOException {
    super(directory, args);
  }

  private ServerProcess(List<String> java, Path directory, String... args) throws IOException {
    super(java, directory, args);
  }

  /** Starts a server with the options for Java that the launcher sets. */
  public static ServerProcess asLaunched(Path directory, String... args) throws IOException {
    Matcher options = LAUNCHER_OPTIONS.matcher(Files.readString(Path.of("../unseen")));
    if (!options.find()) {
      throw new IOException("the launcher has no options for the server");
    }
    return new ServerProcess(List.of(options.group(1).split("\\s+")), directory, args);
  }

  public RawClient client() throws IOException {
    return new RawClient(port());
  }
}
