package dev.unseen.server.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file on a disk that can become full, or fail. */
final class FailingChannel extends FileChannel {
  /** What can be switched between two calls. */
  static final class Disk {
    long room = Long.MAX_VALUE; // bytes that can still be written
    boolean forces = true;
    int goodForces = Integer.MAX_VALUE; // before they fail
    Runnable beforeEach = () -> {}; // called before each write and force

    FailingChannel open(FileChannel file) {
      return new FailingChannel(file, this);
    }
  }

  private final FileChannel file;
  private final Disk disk;

  private FailingChannel(FileChannel file, Disk disk) {
    this.file = file;
    this.disk = disk;
  }

  /** Writes as much as there is room for, as a system does, and fails when there is none. */
  private int limited(ByteBuffer bytes, Write write) throws IOException {
    disk.beforeEach.run();
    if (disk.room == 0) {
      throw new IOException("No space left on device");
    }
    int limit = bytes.limit();
    bytes.limit((int) Math.min(limit, bytes.position() + disk.room));
    try {
      int written = write.write(bytes);
      disk.room -= written;
      return written;
    } finally {
      bytes.limit(limit);
    }
  }

  private interface Write {
    int write(ByteBuffer bytes) throws IOException;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return limited(bytes, file::write);
  }

  @Override
  public int write(ByteBuffer bytes, long position) throws IOException {
    return limited(bytes, some -> file.write(some, position));
  }

  @Override
  public void force(boolean metaData) throws IOException {
    disk.beforeEach.run();
    if (!disk.forces || disk.goodForces-- <= 0) {
      throw new IOException("Input/output error");
    }
    file.force(metaData);
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    file.truncate(size);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer to, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
