package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.Journal;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Repeats what a journal has noted. What is in a filter already is repeated without harm, because a
 * filter remembers an item once.
 */
final class Replay {
  private static final int BUFFER_BYTES = 2 * LogRecord.MAX_BYTES;

  /**
   * What was found in a segment.
   *
   * @param items the items that were admitted
   * @param lostBytes the bytes at the end that are no whole records
   */
  record Found(long items, long lostBytes) {}

  private final Keyspace keyspace;
  private final Map<Long, ServedFilter> filters = new HashMap<>();
  private final Map<Long, Integer> deletions = new HashMap<>(); // still to come, of each filter

  Replay(Keyspace keyspace) {
    this.keyspace = keyspace;
    keyspace.all().forEach(filter -> filters.put(filter.id(), filter));
  }

  /**
   * Notes which filters a segment deletes. They need not be built, which could take long and more
   * memory than there is. To be called for all segments before the first is repeated.
   */
  void lookAhead(Path segment) throws IOException {
    read(
        segment,
        body -> {
          if (body.get() == LogRecord.DELETED) {
            deletions.merge(body.getLong(), 1, Integer::sum);
          }
          return 0;
        });
  }

  Found repeat(Path segment) throws IOException {
    return read(segment, this::repeat);
  }

  /** What is done with a record. Returns the number of items that it has admitted. */
  private interface Reader {
    long read(ByteBuffer body) throws IOException;
  }

  private static Found read(Path segment, Reader reader) throws IOException {
    long items = 0;
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes.limit(0);
      long whole = 0;
      if (fill(channel, bytes, Long.BYTES) && bytes.getLong() == LogRecord.MAGIC) {
        whole = Long.BYTES;
        while (fill(channel, bytes, LogRecord.HEADER_BYTES)) {
          int length = bytes.getInt(bytes.position());
          int sum = bytes.getInt(bytes.position() + Integer.BYTES);
          if (length < 1
              || length > LogRecord.MAX_BYTES
              || !fill(channel, bytes, LogRecord.HEADER_BYTES + length)) {
            break;
          }
          ByteBuffer body =
              bytes
                  .slice(bytes.position() + LogRecord.HEADER_BYTES, length)
                  .order(ByteOrder.LITTLE_ENDIAN);
          if (!isWhole(body, sum)) {
            break;
          }
          items += read(body, reader);
          bytes.position(bytes.position() + LogRecord.HEADER_BYTES + length);
          whole += LogRecord.HEADER_BYTES + length;
        }
      }
      return new Found(items, channel.size() - whole);
    }
  }

  private static boolean isWhole(ByteBuffer body, int sum) {
    CRC32C crc = new CRC32C();
    crc.update(body.duplicate());
    return (int) crc.getValue() == sum;
  }

  /** Reads until this number of bytes is there. Returns false if the file ends before. */
  private static boolean fill(FileChannel from, ByteBuffer bytes, int needed) throws IOException {
    if (bytes.remaining() >= needed) {
      return true;
    }
    bytes.compact();
    while (bytes.position() < needed) {
      if (from.read(bytes) < 0) {
        break;
      }
    }
    bytes.flip();
    return bytes.remaining() >= needed;
  }

  private static long read(ByteBuffer body, Reader reader) throws IOException {
    try {
      return reader.read(body);
    } catch (BufferUnderflowException e) {
      throw new IOException("the journal has a record that is too short for its contents", e);
    }
  }

  private long repeat(ByteBuffer body) throws IOException {
    switch (body.get()) {
      case LogRecord.ADMITTED -> {
        return admit(filters.get(body.getLong()), body.getLong(), body);
      }
      case LogRecord.CREATED -> create(body);
      case LogRecord.DELETED -> delete(body.getLong());
      case LogRecord.EXPIRES -> {
        ServedFilter filter = filters.get(body.getLong());
        if (filter != null) {
          filter.expiresAt(body.getLong());
        }
      }
      case LogRecord.EXCEPTION ->
          keyspace.setKeys().restore(body.getLong(), body.getLong(), body.getLong());
      default ->
          throw new IOException(
              "the journal has a record of a type that this version does not know; use the version that wrote it");
    }
    return 0;
  }

  private static long admit(ServedFilter filter, long millis, ByteBuffer hashes) {
    int count = hashes.remaining() / Long.BYTES;
    for (int i = 0; i < count && filter != null; i++) {
      filter.admit(hashes.getLong(), millis, Journal.NONE);
    }
    return filter == null ? 0 : count;
  }

  private void create(ByteBuffer body) {
    long id = body.getLong();
    long expiresAt = body.getLong();
    byte[] name = new byte[Math.min(body.getInt(), body.remaining())];
    body.get(name);
    byte[] definition = new byte[body.remaining()];
    body.get(definition);
    ServedFilter filter = filters.get(id);
    if (filter == null && deletions.containsKey(id)) {
      keyspace.usedId(id);
    } else if (filter == null) {
      filter =
          create(
              id,
              new String(name, ISO_8859_1),
              FilterDefinition.parse(new String(definition, UTF_8)));
    }
    if (filter != null) {
      filter.expiresAt(expiresAt);
    }
  }

  /** Creates a filter, unless the one of its name that was saved is a later one. */
  private ServedFilter create(long id, String name, FilterDefinition definition) {
    for (ServedFilter other : keyspace.all()) {
      if (other.name().equals(name)
          && other.definition().setMillis() == definition.setMillis()
          && other.id() > id) {
        return null;
      }
    }
    ServedFilter filter = keyspace.recreate(id, name, definition);
    filters.put(id, filter);
    return filter;
  }

  private void delete(long id) {
    deletions.computeIfPresent(id, (same, count) -> count == 1 ? null : count - 1);
    ServedFilter filter = filters.remove(id);
    if (filter != null && !keyspace.delete(filter)) {
      keyspace.setKeys().drop(filter);
    }
  }
}
