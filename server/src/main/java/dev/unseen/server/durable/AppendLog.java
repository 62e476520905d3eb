package dev.unseen.server.durable;

import dev.unseen.server.store.Journal;
import dev.unseen.server.store.ServedFilter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A journal in files, one after the other: a new segment begins whenever all filters are saved.
 *
 * <p>Records are collected in memory and written to the file by {@link #commit}, which comes before
 * each reply. Several threads share one write and, with {@link Fsync#ALWAYS}, one force.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // numbers are changed under the lock, and read without
final class AppendLog implements Journal, Closeable {
  private static final int BUFFER_BYTES = 4 << 20;

  private final Path directory;
  private final Fsync fsync;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock forcing = new ReentrantLock();
  private final LogRecord record = new LogRecord();
  private final ByteBuffer pending = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private FileChannel channel;
  private long segment;
  private volatile long written; // bytes in all segments, which only grows
  private volatile long inSegment; // bytes that are whole in this segment
  private volatile long noted; // bytes of all records, written or pending
  private volatile long forced; // bytes that are on the disk
  private volatile String failure = ""; // why it could not be written; empty: it can

  /** Begins a journal with a segment of this number. */
  AppendLog(Path directory, long segment, Fsync fsync) throws IOException {
    this.directory = directory;
    this.fsync = fsync;
    use(create(segment), segment);
  }

  static Path file(Path directory, long segment) {
    return directory.resolve("journal-%d.log".formatted(segment));
  }

  private FileChannel create(long number) throws IOException {
    FileChannel next =
        FileChannel.open(
            file(directory, number), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    ByteBuffer magic =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(LogRecord.MAGIC)
            .flip();
    while (magic.hasRemaining()) {
      next.write(magic);
    }
    next.force(true);
    DataDirectory.force(directory);
    return next;
  }

  private void use(FileChannel next, long number) {
    channel = next;
    segment = number;
    inSegment = Long.BYTES;
  }

  /**
   * Begins the next segment. Returns its number: all records so far are in those before it. Only
   * those who need the disk wait for it.
   */
  long rotate() throws IOException {
    forcing.lock();
    try {
      FileChannel next = create(segment + 1);
      FileChannel before = channel;
      long end;
      lock.lock();
      try {
        write();
        end = written;
        use(next, segment + 1);
      } catch (UncheckedIOException e) {
        next.close();
        Files.delete(file(directory, segment + 1));
        throw e;
      } finally {
        lock.unlock();
      }
      before.force(false);
      before.close();
      forced = Math.max(forced, end);
      return segment;
    } finally {
      forcing.unlock();
    }
  }

  /** Returns the size of the present segment in bytes. */
  long segmentBytes() {
    return inSegment + pending.position();
  }

  @Override
  public void created(ServedFilter filter) {
    lock.lock();
    try {
      record.created(filter);
      add();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void deleted(ServedFilter filter) {
    lock.lock();
    try {
      record.deleted(filter.id());
      add();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void expires(ServedFilter filter) {
    lock.lock();
    try {
      record.expires(filter.id(), filter.expiresAt());
      add();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void exception(long hash, long forgottenBy, long setUntil) {
    lock.lock();
    try {
      record.exception(hash, forgottenBy, setUntil);
      add();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void admitted(
      ServedFilter filter, long millis, long[] hashes, int count, long[] fresh, int admitted) {
    lock.lock();
    try {
      record.admitted(filter.id(), millis);
      int inRecord = 0;
      for (int i = 0; i < count; i++) {
        if (((fresh[i >>> 6] >>> i) & 1) != 0) {
          if (inRecord++ == LogRecord.MAX_HASHES) {
            add();
            record.admitted(filter.id(), millis);
            inRecord = 1;
          }
          record.hash(hashes[i]);
        }
      }
      add();
    } finally {
      lock.unlock();
    }
  }

  /** Takes in the record. If the disk takes no more, the record is lost with its reply. */
  private void add() {
    ByteBuffer bytes = record.end();
    if (bytes.remaining() > pending.remaining()) {
      write();
    }
    int size = bytes.remaining();
    pending.put(bytes);
    noted += size;
  }

  private void write() {
    if (pending.position() == 0) {
      return;
    }
    pending.flip();
    int size = pending.remaining();
    try {
      if (!failure.isEmpty()) {
        channel.truncate(inSegment); // half a record may have been written
      }
      for (long at = inSegment; pending.hasRemaining(); ) {
        at += channel.write(pending, at);
      }
      pending.clear();
      written += size;
      inSegment += size;
      failure = "";
    } catch (IOException e) {
      pending.position(size).limit(pending.capacity());
      failure = e.getMessage();
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void commit() {
    long mine = noted;
    if (mine == written && (fsync != Fsync.ALWAYS || forced >= mine)) {
      return;
    }
    lock.lock();
    try {
      write();
    } finally {
      lock.unlock();
    }
    if (fsync == Fsync.ALWAYS) {
      force(mine);
    }
  }

  /** Forces all that was written, unless another thread has just forced as much as is needed. */
  void force(long needed) {
    forcing.lock();
    try {
      if (forced >= needed) {
        return;
      }
      FileChannel target;
      long before;
      lock.lock();
      try {
        target = channel;
        before = written;
      } finally {
        lock.unlock();
      }
      target.force(false);
      forced = Math.max(forced, before);
    } catch (IOException e) {
      failure = e.getMessage();
      throw new UncheckedIOException(e);
    } finally {
      forcing.unlock();
    }
  }

  /** Writes what is pending, and forces it if that is asked for once a second. */
  void tick() {
    lock.lock();
    try {
      write();
    } finally {
      lock.unlock();
    }
    if (fsync == Fsync.EVERYSEC) {
      force(noted);
    }
  }

  /** Returns why the journal cannot be written; empty if it can. */
  String failure() {
    return failure;
  }

  long segment() {
    return segment;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      write();
      channel.force(true);
      channel.close();
    } finally {
      lock.unlock();
    }
  }
}
