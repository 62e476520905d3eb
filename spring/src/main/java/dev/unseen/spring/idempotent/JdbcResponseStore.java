package dev.unseen.spring.idempotent;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcOperations;

/** Keeps responses in a table of a database, which all instances of an application can share. */
final class JdbcResponseStore implements ResponseStore {
  private static final long CLEANUP_MILLIS = Duration.ofMinutes(1).toMillis();

  private final JdbcOperations jdbc;
  private final String table;
  private final long retention;
  private final InstantSource clock;
  private final AtomicLong nextCleanup = new AtomicLong();

  JdbcResponseStore(JdbcOperations jdbc, String table, Duration retention, InstantSource clock) {
    this.jdbc = jdbc;
    this.table = table;
    this.retention = retention.toMillis();
    this.clock = clock;
  }

  @Override
  public Optional<byte[]> find(String key) {
    return jdbc
        .query(
            "select response from " + table + " where id = ? and expires > ?",
            (row, number) -> row.getBytes(1),
            key,
            clock.millis())
        .stream()
        .findFirst();
  }

  @Override
  public void save(String key, byte[] response) {
    long now = clock.millis();
    if (!replace(key, response, now)) {
      try {
        jdbc.update(
            "insert into " + table + " (id, expires, response) values (?, ?, ?)",
            key,
            now + retention,
            response);
      } catch (DuplicateKeyException e) {
        replace(key, response, now); // another caller, whose reservation had expired
      }
    }
    long next = nextCleanup.get();
    if (now >= next && nextCleanup.compareAndSet(next, now + CLEANUP_MILLIS)) {
      jdbc.update("delete from " + table + " where expires <= ?", now);
    }
  }

  private boolean replace(String key, byte[] response, long now) {
    return jdbc.update(
            "update " + table + " set expires = ?, response = ? where id = ?",
            now + retention,
            response,
            key)
        > 0;
  }
}
