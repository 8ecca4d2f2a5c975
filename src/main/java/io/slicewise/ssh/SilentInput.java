package io.slicewise.ssh;

import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * A command's standard input that never says anything. The library closes it when the channel is
 * closed, which is the one notice it gives of that: waiting for it spares polling.
 */
final class SilentInput extends InputStream {
  private final boolean keptOpen;
  private final CountDownLatch closed;

  /**
   * @param keptOpen whether the command sees an open input until it is closed, or its end at once
   * @param closed counted down when the channel is closed
   */
  SilentInput(boolean keptOpen, CountDownLatch closed) {
    this.keptOpen = keptOpen;
    this.closed = closed;
  }

  @Override
  public int read() {
    if (keptOpen) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    return length == 0 ? 0 : read();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
