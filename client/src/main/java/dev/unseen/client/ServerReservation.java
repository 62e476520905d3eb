package dev.unseen.client;

import dev.unseen.Reservation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A reservation that a server keeps under a token. Safe for use by many threads. */
final class ServerReservation implements Reservation {
  private static final System.Logger LOG = System.getLogger("dev.unseen.client");
  private static final long MIN_PAUSE_MILLIS = 10;
  private static final long MAX_PAUSE_MILLIS = 200;

  private final ServerReservations server;
  private final String key;
  private final String token;
  private boolean settled;
  private boolean committing;
  private boolean lostReply; // to a commit, which the server may have executed

  ServerReservation(ServerReservations server, String key, String token) {
    this.server = server;
    this.key = key;
    this.token = token;
  }

  @Override
  public Status status() {
    return Status.GRANTED;
  }

  @Override
  public synchronized boolean commit() {
    if (settled) {
      return false;
    }
    committing = true;
    Duration patience = server.commandTimeout();
    long begin = System.nanoTime();
    long pause = MIN_PAUSE_MILLIS;
    while (true) {
      try {
        boolean first = tryCommit();
        settled = true;
        return first;
      } catch (StoreUnavailableException e) {
        lostReply |= e.isMaybeExecuted();
        if (System.nanoTime() - begin >= patience.toNanos() || !sleep(pause)) {
          throw e;
        }
        pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
      }
    }
  }

  /*
   * A commit that is sent again finds no reservation if the first one was executed. So does a
   * commit after the end of its reservation, or after a crash of the server. In all cases the key
   * has to be remembered, so it is added: "new" means that nobody had committed it. "Seen" means
   * after a lost reply that the first one was executed; otherwise another caller was faster.
   */
  private boolean tryCommit() {
    try {
      return server.commit(token);
    } catch (NoReservationException e) {
      return server.add(key) || lostReply;
    }
  }

  private static boolean sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Releases the key. Does nothing after a commit, not even after one that has failed, because the
   * work is done. If the server cannot be reached, it releases the key when the reservation ends.
   */
  @Override
  public synchronized void rollback() {
    if (settled || committing) {
      return;
    }
    settled = true;
    try {
      server.rollback(token);
    } catch (NoReservationException e) {
      LOG.log(System.Logger.Level.DEBUG, "nothing to roll back: {0}", e.getMessage());
    } catch (StoreUnavailableException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a reservation was not rolled back and stays until it expires: {0}",
          e.getMessage());
    }
  }
}
