package io.slicewise.sweep;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A server that answers 40 requests a second and logs them as nginx does, from a file that it holds
 * open. It remembers when each began, whatever becomes of its log.
 */
final class LoggingServer implements AutoCloseable {
  private static final long EVERY_MILLIS = 25;
  private static final double USUAL_SECONDS = 0.05;

  private final Path log;
  private final BooleanSupplier slow;
  private final Random random = new Random(5);
  private final List<Instant> starts = new ArrayList<>();
  private final Thread thread = new Thread(this::serve, "server");
  private OutputStream file;
  private Duration ahead = Duration.ZERO;
  private long slowed;
  private boolean silent;
  private boolean down;
  private volatile boolean open = true;

  /**
   * @param slow whether requests take twice as long now
   */
  LoggingServer(Path log, BooleanSupplier slow) throws IOException {
    this.log = log;
    this.slow = slow;
    file = appended();
    thread.start();
  }

  private OutputStream appended() throws IOException {
    return Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void serve() {
    try {
      while (open) {
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        answer(USUAL_SECONDS * Math.exp(0.1 * random.nextGaussian()));
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } catch (IOException fault) {
      if (open) {
        throw new UncheckedIOException(fault);
      }
    }
  }

  private synchronized void answer(double usual) throws IOException {
    if (down) {
      return;
    }
    boolean isSlow = slow.getAsBoolean();
    slowed += isSlow ? 1 : 0;
    long millis = Math.round(1e3 * (isSlow ? 2 * usual : usual));
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    starts.add(now.minusMillis(millis));
    if (!silent) {
      write(
          Phrase.of(
              "%.3f %.3f - 200 GET site 500 \"/page\"\n",
              now.plus(ahead).toEpochMilli() / 1e3, millis / 1e3));
    }
  }

  private void write(String text) throws IOException {
    file.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  Path log() {
    return log;
  }

  /** Returns how many requests began in a window. */
  synchronized long began(Window window) {
    return starts.stream().filter(window::contains).count();
  }

  /** Returns how many answers took twice as long. */
  synchronized long slowed() {
    return slowed;
  }

  /** Answers go on, and are not logged; they are lost for the log. */
  synchronized void silence(boolean on) {
    silent = on;
  }

  /** Renames the log as logrotate does, and opens a new one some answers later. */
  void rotate() throws IOException, InterruptedException {
    Files.move(log, old(), StandardCopyOption.REPLACE_EXISTING);
    TimeUnit.MILLISECONDS.sleep(4 * EVERY_MILLIS);
    synchronized (this) {
      file.close();
      file = appended();
    }
  }

  /** Copies the log and empties it, as logrotate's copytruncate: lines between both are lost. */
  void truncate() throws IOException, InterruptedException {
    Files.copy(log, old(), StandardCopyOption.REPLACE_EXISTING);
    TimeUnit.MILLISECONDS.sleep(4 * EVERY_MILLIS);
    synchronized (this) {
      Files.write(log, new byte[0]);
    }
  }

  private Path old() {
    return log.resolveSibling(log.getFileName() + ".1");
  }

  /** Writes the half of a line, and the rest later; no answer comes between. */
  void halfLine(Duration pause) throws IOException, InterruptedException {
    synchronized (this) {
      long now = System.currentTimeMillis();
      starts.add(Instant.ofEpochMilli(now - 50));
      String line =
          Phrase.of("%.3f 0.050 - 200 GET site 500 \"/page\"\n", (now + ahead.toMillis()) / 1e3);
      write(line.substring(0, 20));
      // The lock is kept: a server writes its lines one after the other.
      TimeUnit.MILLISECONDS.sleep(pause.toMillis());
      write(line.substring(20));
    }
  }

  /** Ends in the middle of a line that is never finished. */
  synchronized void crash() throws IOException {
    write(Phrase.of("%.3f 0.0", System.currentTimeMillis() / 1e3));
    down = true;
  }

  /** Answers again after a crash, in the same file. */
  synchronized void restart() throws IOException {
    file.close();
    file = appended();
    down = false;
  }

  /** Sets the clock of its machine. */
  synchronized void set(Duration step) {
    ahead = step;
  }

  @Override
  public void close() throws IOException {
    open = false;
    thread.interrupt();
    synchronized (this) {
      file.close();
    }
  }
}
