package io.slicewise.ssh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A command's output as lines with the time of their arrival; its size is limited. */
final class LineQueue extends OutputStream {
  /** The most bytes that wait to be read. */
  static final int LIMIT = 4 << 20;

  private static final Entry END = new Entry(Optional.empty(), 0);

  /** A line, or the end of the output. */
  record Entry(Optional<Conversation.Line> line, int bytes) {}

  private final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private volatile boolean overflowed;

  @Override
  public synchronized void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] source, int offset, int length) throws IOException {
    if (waiting.addAndGet(length) > LIMIT) {
      overflowed = true;
      close();
      throw new IOException("more than " + LIMIT + " bytes that nobody read");
    }
    long now = System.nanoTime();
    int start = offset;
    for (int i = offset; i < offset + length; i++) {
      if (source[i] == '\n') {
        begun.write(source, start, i - start);
        Conversation.Line line = new Conversation.Line(begun.toString(StandardCharsets.UTF_8), now);
        entries.add(new Entry(Optional.of(line), begun.size() + 1));
        begun.reset();
        start = i + 1;
      }
    }
    begun.write(source, start, offset + length - start);
  }

  /** Ends the output; a last line without a line break is dropped. */
  @Override
  public void close() {
    entries.add(END);
  }

  boolean overflowed() {
    return overflowed;
  }

  /** Returns the next line, or the end again and again once it is reached. */
  Optional<Entry> next(Duration limit) throws InterruptedException {
    Entry entry = entries.poll(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS);
    if (entry == null) {
      return Optional.empty();
    }
    waiting.addAndGet(-entry.bytes());
    if (entry.line().isEmpty()) {
      entries.add(END);
    }
    return Optional.of(entry);
  }
}
