package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Keys in this process, and whether clients have their response when these are marked. */
public final class WatchedStore implements ReservationStore {
  private static final long PAUSE_MILLIS = 200;

  private final ReservationStore keys;
  private volatile Runnable beforeMark = () -> {};

  public WatchedStore(Deduplicator<String> keys) {
    this.keys = ReservationStore.of(keys);
  }

  /**
   * Sends a request, and delays the mark of its key. Returns for each key whether the client had
   * its whole response before the mark.
   */
  public List<Boolean> answeredBeforeMark(HttpCalls http, String path, String key) {
    List<Boolean> answered = new CopyOnWriteArrayList<>();
    CompletableFuture<HttpResponse<String>> response = new CompletableFuture<>();
    beforeMark = () -> answered.add(isAnswered(response));
    try {
      CompletableFuture<?> unused =
          http.postLater(path, key)
              .whenComplete(
                  (reply, failure) -> {
                    if (failure == null) {
                      response.complete(reply);
                    } else {
                      response.completeExceptionally(failure);
                    }
                  });
      if (response.join().statusCode() >= 400) {
        throw new AssertionError(path + ": " + response.join().statusCode());
      }
    } finally {
      beforeMark = () -> {};
    }
    return answered;
  }

  /** Gives a response some time. One that cannot come costs that time, but never fails a test. */
  private static boolean isAnswered(CompletableFuture<HttpResponse<String>> response) {
    try {
      return response.get(PAUSE_MILLIS, TimeUnit.MILLISECONDS).statusCode() > 0;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Reservation reserve(String key) {
    Reservation reservation = keys.reserve(key);
    return reservation.status() == Reservation.Status.GRANTED
        ? new Watched(reservation)
        : reservation;
  }

  @Override
  public boolean wasSeen(String key) {
    return keys.wasSeen(key);
  }

  @Override
  public void clear() {
    keys.clear();
  }

  private final class Watched implements Reservation {
    private final Reservation reservation;

    Watched(Reservation reservation) {
      this.reservation = reservation;
    }

    @Override
    public Status status() {
      return reservation.status();
    }

    @Override
    public boolean commit() {
      beforeMark.run();
      return reservation.commit();
    }

    @Override
    public void rollback() {
      reservation.rollback();
    }
  }
}
