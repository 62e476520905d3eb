package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.access.Users.User;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.Items;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The state of a connection. One thread uses it, except where stated otherwise. */
public final class Client {
  /** The largest number of items that are decided together. */
  static final int BATCH = 1024;

  private final long id;
  private final String address;
  private final long since = System.currentTimeMillis();
  private final long[] answers = new long[BATCH / 64];
  private volatile User user; // null: the client has not authenticated
  private volatile String lastCommand; // null: none yet
  private volatile long lastActive = since;
  private volatile Runnable closer = () -> {};
  private volatile Consumer<String> sender = line -> {};
  private volatile long unreadBytes; // of replies
  private volatile long requestBytes; // of what has come and is not executed
  private boolean leaving;
  private SlowWork later; // null: none
  final Items items = new Items(BATCH); // of the open batch
  final Transaction transaction = new Transaction();
  volatile String name = "";
  volatile String library = "";
  volatile String libraryVersion = "";
  volatile int protocol = 2;
  volatile String localAddress = ""; // of the server, that the client is connected to

  /**
   * What is left to do for a command, in another thread.
   *
   * @param delayMillis how long to wait before it starts
   * @param work does it, and returns what writes the reply
   */
  public record SlowWork(long delayMillis, Callable<Consumer<RespWriter>> work) {}

  /**
   * Creates the client of a new connection.
   *
   * @param user null if it must authenticate first
   */
  public Client(long id, String address, User user) {
    this.id = id;
    this.address = address;
    this.user = user;
  }

  public long id() {
    return id;
  }

  /**
   * Sets the connection.
   *
   * @param local the address of the server that the client is connected to
   * @param close closes the connection; may be called by any thread
   * @param send sends a line, unless the client does not read; may be called by any thread
   */
  public void connection(String local, Runnable close, Consumer<String> send) {
    localAddress = local;
    closer = close;
    sender = send;
  }

  /** Sends a line, unless the client does not read. May be called by any thread. */
  void send(String line) {
    sender.accept(line);
  }

  /** Sets the bytes of memory that the connection holds. */
  public void holds(long requests, long replies) {
    requestBytes = requests;
    unreadBytes = replies;
  }

  /** Closes the connection at once. May be called by any thread. */
  void kill() {
    closer.run();
  }

  /** Returns the seconds since the client has connected. */
  long age() {
    return (System.currentTimeMillis() - since) / 1000;
  }

  /** Returns the remote address without the port. */
  String host() {
    return address.substring(0, Math.max(0, address.lastIndexOf(':')));
  }

  public String address() {
    return address;
  }

  public User user() {
    return user;
  }

  void user(User other) {
    user = other;
  }

  /** Returns whether it may use commands that need these rights. */
  boolean may(Rights needed) {
    return user != null && user.rights().include(needed);
  }

  void used(String command) {
    lastCommand = command;
    lastActive = System.currentTimeMillis();
  }

  /** Closes the connection after the reply. */
  void leave() {
    leaving = true;
  }

  /** Returns whether the connection is to be closed after what was replied. */
  public boolean isLeaving() {
    return leaving;
  }

  /**
   * Runs slow work in another thread. The work returns the reply; no further command of this client
   * is run before it.
   */
  void later(Callable<Consumer<RespWriter>> work) {
    later(0, work);
  }

  /** Does what {@link #later(Callable)} does, after some milliseconds. */
  void later(long millis, Callable<Consumer<RespWriter>> work) {
    later = new SlowWork(millis, work);
  }

  /** Returns the slow work of the last command, or null. */
  SlowWork later() {
    return later;
  }

  /** Returns the slow work of the last command, or null; it is returned once. */
  public SlowWork takeLater() {
    SlowWork work = later;
    later = null;
    return work;
  }

  /** Returns room for at least this number of answers. No batch may be open. */
  long[] answers(int count) {
    return count <= BATCH ? answers : new long[Items.words(count)];
  }

  /** Returns the line of CLIENT LIST. May be called by any thread. */
  String line() {
    User who = user;
    return "id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=N db=0 sub=0 psub=0 ssub=0 multi=%d qbuf=%d omem=%d tot-mem=%d cmd=%s user=%s redir=-1 resp=%d lib-name=%s lib-ver=%s"
        .formatted(
            id,
            address,
            localAddress,
            name,
            age(),
            (System.currentTimeMillis() - lastActive) / 1000,
            transaction.isOpen() ? transaction.size() : -1,
            requestBytes,
            unreadBytes,
            requestBytes + unreadBytes,
            lastCommand == null ? "NULL" : lastCommand.toLowerCase(Locale.ROOT),
            who == null ? "(none)" : who.name(),
            protocol,
            library,
            libraryVersion);
  }
}
