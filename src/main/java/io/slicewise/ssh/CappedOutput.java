package io.slicewise.ssh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Collects a command's output up to a limit; more is an error, never truncated silently. */
final class CappedOutput extends OutputStream {
  static final int LIMIT = 16 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Runnable whenClosed;
  private boolean overflowed;

  CappedOutput(Runnable whenClosed) {
    this.whenClosed = whenClosed;
  }

  @Override
  public synchronized void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] source, int offset, int length) throws IOException {
    if (bytes.size() + length > LIMIT) {
      overflowed = true;
      throw new IOException("more than " + LIMIT + " bytes of output");
    }
    bytes.write(source, offset, length);
  }

  @Override
  public void close() {
    whenClosed.run();
  }

  synchronized boolean overflowed() {
    return overflowed;
  }

  synchronized String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
