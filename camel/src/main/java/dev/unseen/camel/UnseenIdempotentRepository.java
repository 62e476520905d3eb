package dev.unseen.camel;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;
import org.apache.camel.spi.IdempotentRepository;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the messages of Camel routes, in this process or in a server that several processes
 * share.
 *
 * <pre>{@code
 * var unseen = new UnseenIdempotentRepository(orders.deduplicator());
 * from("kafka:orders").idempotentConsumer(header("id"), unseen).to("direct:ship");
 * }</pre>
 *
 * <p>A key is reserved while its message is routed, remembered when the route has completed, and
 * released if it has failed. A message whose key another exchange has reserved fails with an {@link
 * InFlightException}, so that its source delivers it again: the other exchange may still fail.
 *
 * <p>The creator of the keys closes them: stopping a route changes nothing.
 */
public final class UnseenIdempotentRepository implements IdempotentRepository {
  /** Thrown if another exchange with the same key is being routed. Deliver the message again. */
  public static final class InFlightException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    InFlightException(String key) {
      super(
          "another exchange with the key '%s' is being routed; deliver this message again later, or call skipInFlight to drop such messages"
              .formatted(key));
    }
  }

  /*
   * Camel calls add, then confirm or remove; not eagerly: contains, then add if the route has
   * completed. It also calls confirm and remove for duplicates that a route does not skip. So what
   * an exchange has reserved, or has asked for, is a property of the exchange.
   */
  private final String reserved = "UnseenReserved-" + Integer.toHexString(hashCode()) + "-";
  private final String asked = "UnseenAsked-" + Integer.toHexString(hashCode()) + "-";

  private final ReservationStore keys;
  private final Map<String, Reservation> withoutExchange = new ConcurrentHashMap<>();
  private volatile boolean skipsInFlight;

  /** Creates a repository over keys, which are in this process or in a server. */
  public UnseenIdempotentRepository(ReservationStore keys) {
    this.keys = Objects.requireNonNull(keys, "keys is null");
  }

  /**
   * Creates a repository over keys in this process.
   *
   * @param keys must be concurrent
   */
  public UnseenIdempotentRepository(Deduplicator<String> keys) {
    this(ReservationStore.of(keys));
  }

  /**
   * Treats a message whose key another exchange has reserved as a duplicate, as Camel's own
   * repositories do. If the other exchange fails, this message is lost, unless the other one is
   * delivered again.
   */
  public UnseenIdempotentRepository skipInFlight() {
    skipsInFlight = true;
    return this;
  }

  @Override
  public boolean add(Exchange exchange, String key) {
    if (exchange.removeProperty(asked + key) != null) { // the route has completed
      return keys.reserve(key).commit();
    }
    @Nullable Reservation granted = reserve(key);
    exchange.setProperty(reserved + key, granted);
    return granted != null;
  }

  @Override
  public boolean confirm(Exchange exchange, String key) {
    Object held = exchange.removeProperty(reserved + key);
    return held instanceof Reservation reservation && reservation.commit();
  }

  @Override
  public boolean remove(Exchange exchange, String key) {
    Object held = exchange.removeProperty(reserved + key);
    return rollback(held instanceof Reservation reservation ? reservation : null);
  }

  @Override
  public boolean contains(Exchange exchange, String key) {
    boolean seen = keys.wasSeen(key);
    exchange.setProperty(asked + key, seen ? null : Boolean.TRUE);
    return seen;
  }

  @Override
  public boolean add(String key) {
    @Nullable Reservation granted = reserve(key);
    if (granted != null) {
      withoutExchange.put(key, granted);
    }
    return granted != null;
  }

  @Override
  public boolean confirm(String key) {
    @Nullable Reservation held = withoutExchange.remove(key);
    return held != null && held.commit();
  }

  @Override
  public boolean remove(String key) {
    return rollback(withoutExchange.remove(key));
  }

  /** Returns whether a message with this key was routed. */
  @Override
  public boolean contains(String key) {
    return withoutExchange.containsKey(key) || keys.wasSeen(key);
  }

  @Override
  public void clear() {
    withoutExchange.clear();
    keys.clear();
  }

  /** Returns the reservation of a key that is new, or null if it is not. */
  private @Nullable Reservation reserve(String key) {
    Reservation reservation = keys.reserve(key);
    return switch (reservation.status()) {
      case GRANTED -> reservation;
      case DUPLICATE -> null;
      case IN_FLIGHT -> {
        if (!skipsInFlight) {
          throw new InFlightException(key);
        }
        yield null;
      }
    };
  }

  private static boolean rollback(@Nullable Reservation held) {
    if (held == null) {
      return false;
    }
    held.rollback();
    return true;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}
}
