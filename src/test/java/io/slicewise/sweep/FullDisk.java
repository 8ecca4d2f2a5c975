package io.slicewise.sweep;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file on a disk with so much room left: as ENOSPC does, it takes what fits and then refuses. */
public final class FullDisk extends FileChannel {
  private final FileChannel file;
  public int room = Integer.MAX_VALUE;

  /** A file on the same disk whose removal makes room; none at first. */
  public Path freedBy = Path.of("");

  public FullDisk(Path file) throws IOException {
    this.file =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    boolean freed = !freedBy.equals(Path.of("")) && !Files.exists(freedBy);
    room = freed ? Integer.MAX_VALUE : room;
    if (room == 0) {
      throw new IOException("No space left on device");
    }
    int length = Math.min(room, source.remaining());
    int written = file.write(source.slice(source.position(), length));
    source.position(source.position() + written);
    room -= written;
    return written;
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long place) throws IOException {
    return file.position(place);
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    return file.truncate(size);
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.force(metaData);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer target, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
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
