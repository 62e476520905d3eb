package dev.unseen.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for processes that must know their port before they listen. Between the two moments
 * no other program takes the port by chance, because it is below those that systems give to
 * connections and to servers that ask for any port (from 32,768 on in Linux).
 */
public final class FreePort {
  private static final int LOWEST = 10_000;
  private static final int LIMIT = 32_000;

  private FreePort() {}

  /** Returns a port that no process listens on. */
  public static int find() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, LIMIT);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (BindException e) {
        // another process listens there: try another port
      }
    }
  }
}
