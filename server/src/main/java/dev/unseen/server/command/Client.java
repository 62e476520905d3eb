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
  private final long id;
  private final String address;
  private final long since = System.currentTimeMillis();
  private final Items items = new Items(BATCH);
  private final long[] fresh = new long[BATCH / 64];
  private final Transaction transaction = new Transaction();
  private volatile User user; // null: the client has not authenticated
  private volatile String name = "";
  private volatile String library = "";
  private volatile String libraryVersion = "";
  private volatile String lastCommand; // null: none yet
  private volatile long lastActive = since;
  private volatile int protocol = 2;
  private volatile String localAddress = "";
  private volatile Runnable closer = () -> {};
  private volatile Consumer<String> sender = line -> {};
  private volatile long unreadBytes; // of replies
  private volatile long requestBytes; // of what has come and is not executed
  private boolean leaving;
  private SlowWork later; // null: none

  /** The largest number of items that are decided together. */
  static final int BATCH = 1024;

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

  /** Returns the number of the connection. */
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

  /** Returns the address of the server that the client is connected to. */
  String localAddress() {
    return localAddress;
  }

  /** Returns the seconds since the client has connected. */
  long age() {
    return (System.currentTimeMillis() - since) / 1000;
  }

  /** Returns the remote address without the port. */
  String host() {
    return address.substring(0, Math.max(0, address.lastIndexOf(':')));
  }

  /** Returns the remote address. */
  public String address() {
    return address;
  }

  /** Returns the user, or null if the client has not authenticated. */
  public User user() {
    return user;
  }

  void user(User other) {
    user = other;
  }

  /** Returns whether it may use commands that need these rights. */
  public boolean may(Rights needed) {
    return user != null && user.rights().include(needed);
  }

  String name() {
    return name;
  }

  void name(String text) {
    name = text;
  }

  void library(String text) {
    library = text;
  }

  void libraryVersion(String text) {
    libraryVersion = text;
  }

  void protocol(int version) {
    protocol = version;
  }

  /** Records the last command. */
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

  /** Returns the requests since MULTI. */
  Transaction transaction() {
    return transaction;
  }

  /** Returns room for the items of a batch. */
  Items items() {
    return items;
  }

  /** Returns room for the answers of a batch. */
  long[] fresh() {
    return fresh;
  }

  /** Returns room for at least this number of answers. No batch may be open. */
  long[] fresh(int count) {
    return count <= BATCH ? fresh : new long[(count + 63) / 64];
  }

  /** Returns the line of CLIENT LIST. May be called by any thread. */
  String line() {
    long now = System.currentTimeMillis();
    User who = user;
    return "id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=N db=0 sub=0 psub=0 ssub=0 multi=%d qbuf=%d omem=%d tot-mem=%d cmd=%s user=%s redir=-1 resp=%d lib-name=%s lib-ver=%s"
        .formatted(
            id,
            address,
            localAddress,
            name,
            age(),
            (now - lastActive) / 1000,
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
