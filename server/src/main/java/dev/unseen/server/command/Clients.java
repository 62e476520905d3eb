package dev.unseen.server.command;

import dev.unseen.server.access.LoginThrottle;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The connected clients, and counts over all connections. */
public final class Clients {
  private final Set<Client> connected = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextId = new AtomicLong(1);
  private final LoginThrottle logins = new LoginThrottle(System::nanoTime);
  private final Monitor monitor = new Monitor();
  private final RequestStats stats = new RequestStats();
  private volatile long perSecond;
  private long counted; // requests at the last tick
  private final LongAdder rejections = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();

  public long nextId() {
    return nextId.getAndIncrement();
  }

  public void add(Client client) {
    connected.add(client);
  }

  public void remove(Client client) {
    connected.remove(client);
    monitor.remove(client);
  }

  public int count() {
    return connected.size();
  }

  List<Client> all() {
    return connected.stream().sorted(Comparator.comparingLong(Client::id)).toList();
  }

  /** Returns the clients that see all requests. */
  Monitor monitor() {
    return monitor;
  }

  public RequestStats stats() {
    return stats;
  }

  /** Returns the number of requests in the last second that has passed. */
  public long requestsPerSecond() {
    return perSecond;
  }

  /** To be called every second. */
  public void tick() {
    long now = requests();
    perSecond = now - counted;
    counted = now;
  }

  /** Returns what slows down those who guess passwords. */
  public LoginThrottle logins() {
    return logins;
  }

  public void killAll(Set<String> users) {
    for (Client client : connected) {
      if (client.user() != null && users.contains(client.user().name())) {
        client.kill();
      }
    }
  }

  public void rejected() {
    rejections.increment();
  }

  public void answered(long count, long bytesIn, long bytesOut) {
    requests.add(count);
    received.add(bytesIn);
    sent.add(bytesOut);
  }

  public long connections() {
    return nextId.get() - 1;
  }

  public long rejections() {
    return rejections.sum();
  }

  public long requests() {
    return requests.sum();
  }

  public long receivedBytes() {
    return received.sum();
  }

  public long sentBytes() {
    return sent.sum();
  }
}
