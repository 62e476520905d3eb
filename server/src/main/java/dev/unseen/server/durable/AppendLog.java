package dev.unseen.server.durable;

import dev.unseen.files.DurableFile;
import dev.unseen.hash.Secret;
import dev.unseen.server.store.Journal;
import dev.unseen.server.store.ServedFilter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A journal of numbered files, the segments. Each save of the filters begins a new one.
 *
 * <p>Records are collected in memory and written to the file by {@link #commit}, which is called
 * before each reply. Several threads share one write and, with {@link Fsync#ALWAYS}, one force.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // numbers are changed under the lock, and read without
final class AppendLog implements Journal, Closeable {
  private static final int BUFFER_BYTES = 4 << 20;

  private final Path directory;
  private final Fsync fsync;
  private final Channels channels;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock forcing = new ReentrantLock();
  private final ThreadLocal<LogRecord> records = ThreadLocal.withInitial(LogRecord::new);
  private final ByteBuffer pending = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private FileChannel channel;
  private final LongAdder forces = new LongAdder();
  private final LongAdder forceNanos = new LongAdder();
  private volatile String fingerprint; // of the secret, for the next segment
  private long segment;
  private long first; // the first segment that the saved filters need
  private volatile long written; // bytes in all segments, which only grows
  private volatile long inSegment; // bytes that are whole in this segment
  private volatile long appended; // bytes of all records, written or pending
  private volatile long forced; // bytes that are on the disk
  private volatile boolean distrusted; // a force has failed in this segment, or a record was lost
  private volatile String failure = ""; // why it could not be written; empty: it can

  /** Creates the files of the segments; a test creates files that fail. */
  interface Channels {
    FileChannel create(Path file) throws IOException;
  }

  /** Begins a journal, or continues one, with a new segment. */
  AppendLog(Path directory, SegmentHeader begin, Fsync fsync, Channels channels)
      throws IOException {
    this.directory = directory;
    this.fingerprint = begin.fingerprint();
    this.first = begin.first();
    this.fsync = fsync;
    this.channels = channels;
    use(create(begin.number()), begin.number());
  }

  static Path file(Path directory, long segment) {
    return directory.resolve("journal-%d.log".formatted(segment));
  }

  private FileChannel create(long number) throws IOException {
    Path file = file(directory, number);
    FileChannel next = channels.create(file);
    ByteBuffer header = new SegmentHeader(number, first, fingerprint).bytes();
    try {
      while (header.hasRemaining()) {
        next.write(header);
      }
      next.force(true);
      DurableFile.forceDirectory(directory);
    } catch (IOException e) { // the next attempt must not find half a file
      next.close();
      Files.deleteIfExists(file);
      throw e;
    }
    return next;
  }

  private void use(FileChannel next, long number) {
    channel = next;
    segment = number;
    inSegment = SegmentHeader.BYTES;
  }

  /**
   * Begins the next segment. Returns its number: all earlier records are in the segments before it.
   * Only callers that need the disk wait for it.
   */
  long rotate() throws IOException {
    forcing.lock();
    try {
      FileChannel next = create(segment + 1);
      FileChannel before = channel;
      boolean distrust = distrusted; // a second force would prove nothing
      long end;
      long endInSegment;
      lock.lock();
      try {
        write();
        end = written;
        endInSegment = inSegment;
        use(next, segment + 1);
        distrusted = false;
        failure = "";
      } catch (UncheckedIOException e) {
        next.close();
        Files.delete(file(directory, segment + 1));
        throw e;
      } finally {
        lock.unlock();
      }
      try (before) {
        if (!distrust) {
          LogRecord.link(before, endInSegment, segment);
          before.force(false);
        }
      } catch (IOException e) { // as in force: what was written there may be lost
        distrusted = true;
        failure = String.valueOf(e.getMessage());
        throw e;
      }
      forced = Math.max(forced, end);
      return segment;
    } finally {
      forcing.unlock();
    }
  }

  /** Sets the secret that the items in the next segment are hashed with. */
  void useSecret(Secret secret) {
    fingerprint = secret.fingerprint();
  }

  long segmentBytes() {
    return inSegment + pending.position();
  }

  @Override
  public void created(ServedFilter filter) {
    append(record -> record.created(filter));
  }

  @Override
  public void deleted(ServedFilter filter) {
    append(record -> record.deleted(filter.id()));
  }

  @Override
  public void expires(ServedFilter filter) {
    append(record -> record.expires(filter.id(), filter.expiresAt()));
  }

  @Override
  public void exception(long hash, long forgottenBy, long setUntil) {
    append(record -> record.exception(hash, forgottenBy, setUntil));
  }

  private void append(Consumer<LogRecord> contents) {
    LogRecord record = records.get();
    contents.accept(record);
    add(record, LogRecord.COPIES);
  }

  @Override
  public void remembered(
      ServedFilter filter, boolean fresh, long millis, long[] hashes, int count, long[] bits) {
    byte type = fresh ? LogRecord.ADMITTED : LogRecord.KNOWN;
    LogRecord record = records.get();
    record.items(type, filter.id(), millis);
    int inRecord = 0;
    for (int i = 0; i < count; i++) {
      if (((bits[i >>> 6] >>> i) & 1) != 0) {
        if (inRecord++ == LogRecord.MAX_HASHES) {
          add(record, 1);
          record.items(type, filter.id(), millis);
          inRecord = 1;
        }
        record.hash(hashes[i]);
      }
    }
    add(record, 1);
  }

  /**
   * Appends which segments and files are needed from now on.
   *
   * @param needed the first segment that is needed
   * @param saved the filters that have files, which hold all from before that segment
   */
  void checkpoint(long needed, List<ServedFilter> saved) {
    append(record -> record.checkpoint(needed));
    for (int i = 0; i < saved.size(); i += LogRecord.MAX_HASHES) {
      List<ServedFilter> some = saved.subList(i, Math.min(saved.size(), i + LogRecord.MAX_HASHES));
      append(record -> record.saved(some));
    }
    lock.lock();
    try {
      first = needed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a record, which was put together before, so that the lock is held only while it is
   * copied. If the disk takes no more, the record is lost with its reply, and the journal is not
   * trusted until a save.
   */
  private void add(LogRecord record, int copies) {
    ByteBuffer bytes = record.end();
    int size = copies * bytes.remaining();
    lock.lock();
    try {
      if (size > pending.remaining()) {
        writeOrDistrust();
      }
      for (int i = 0; i < copies; i++) {
        pending.put(bytes.duplicate());
      }
      appended += size;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes room for a record. If that fails, the record is in no file and never will be, though its
   * items are in their filter: only a save secures them.
   */
  private void writeOrDistrust() {
    try {
      write();
    } catch (UncheckedIOException e) {
      distrusted = true;
      throw e;
    }
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
      failure = distrusted ? failure : "";
    } catch (IOException e) {
      pending.position(size).limit(pending.capacity());
      failure = String.valueOf(e.getMessage());
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /**
   * Writes what is pending. If the write fails, the entries stay pending until a later write
   * succeeds, and further changes are rejected: see {@link #failure}. The pending changes are
   * already in their filters, so they are acknowledged nevertheless: a client that retried would
   * find that its items are known. With {@link Fsync#ALWAYS}, which promises more, they are not
   * acknowledged.
   */
  @Override
  public void commit() {
    long mine = appended;
    if (mine == written && (fsync != Fsync.ALWAYS || forced >= mine)) {
      return;
    }
    try {
      commitOrFail();
    } catch (UncheckedIOException e) {
      if (fsync == Fsync.ALWAYS || !channel.isOpen()) {
        throw e;
      }
    }
  }

  /** Makes all records so far as durable as {@link Fsync} promises, or fails. */
  void commitOrFail() {
    long mine = appended;
    writePending();
    if (fsync == Fsync.ALWAYS) {
      force(mine);
    }
  }

  /** Forces all records so far to the disk, whatever {@link Fsync} says. */
  void forceAll() {
    long mine = appended;
    writePending();
    force(mine);
  }

  private void writePending() {
    lock.lock();
    try {
      write();
    } finally {
      lock.unlock();
    }
  }

  /** Forces all that was written, unless another thread has just forced as much as is needed. */
  void force(long needed) {
    forcing.lock();
    try {
      if (forced >= needed) {
        return;
      }
      if (distrusted) { // the system reports a failure once; a success now proves nothing
        throw new UncheckedIOException(failure, new IOException(failure));
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
      long begin = System.nanoTime();
      target.force(false);
      forceNanos.add(System.nanoTime() - begin);
      forces.increment();
      forced = Math.max(forced, before);
    } catch (IOException e) {
      // The system may have dropped what it could not write, without reporting it again: only a
      // save, which begins a new segment, secures all items.
      distrusted = true;
      failure = String.valueOf(e.getMessage());
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      forcing.unlock();
    }
  }

  /** Writes what is pending, and forces it with {@link Fsync#EVERYSEC}. */
  void tick() {
    writePending();
    if (fsync == Fsync.EVERYSEC && !distrusted) {
      force(appended);
    }
  }

  /** Returns whether only a save can secure all items, because a force has failed. */
  boolean isDistrusted() {
    return distrusted;
  }

  /** Returns why the journal cannot be written; empty if it can. */
  String failure() {
    return failure;
  }

  Durability.Writes writes() {
    return new Durability.Writes(written, segmentBytes(), forces.sum(), forceNanos.sum());
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
