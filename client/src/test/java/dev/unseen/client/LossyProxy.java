package dev.unseen.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a server, and can lose replies, as a network does. */
final class LossyProxy implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger toLose = new AtomicInteger();
  private final int serverPort;

  LossyProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Loses the replies of the next connections that get one, and closes these connections. */
  void loseReplies(int count) {
    toLose.set(count);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        open.add(client);
        open.add(server);
        start(() -> forward(client, server, false));
        start(() -> forward(server, client, true));
      }
    } catch (IOException e) {
      close();
    }
  }

  private void forward(Socket from, Socket to, boolean replies) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        if (replies && toLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
          return;
        }
        out.write(bytes, 0, count);
      }
    } catch (IOException e) {
      // the other side has closed the connection
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
