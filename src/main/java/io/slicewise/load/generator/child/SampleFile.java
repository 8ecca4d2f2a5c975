package io.slicewise.load.generator.child;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleSaveConfiguration;
import org.apache.jmeter.save.CSVSaveService;

/**
 * Writes samples as JMeter's CSV with its 17 default columns, compressed on the fly.
 *
 * <p>Users only format a line and append it to a buffer; one thread compresses the buffer ten times
 * a second and writes it to disk, so that a killed generator loses at most a tenth of a second.
 * Level 1 costs about one microsecond of CPU per sample and avoids writing the file twice.
 */
final class SampleFile {
  private static final long FLUSH_MILLIS = 100;
  private static final int BUFFER = 1 << 16;
  private static final String DELIMITER = ",";

  private final SampleSaveConfiguration columns = columns();
  private final Path file;
  private final WallClock clock;
  private final Consumer<IOException> whenFull;
  private final Timer writer = new Timer("sample-file", true);
  private final Object lock = new Object();
  private StringBuilder lines = new StringBuilder(BUFFER);
  private OutputStream out;
  private boolean closed;
  private Optional<IOException> failure = Optional.empty();

  /**
   * @param clock of the time stamps
   * @param whenFull receives the fault after which no sample is written any more
   */
  SampleFile(Path file, WallClock clock, Consumer<IOException> whenFull) throws IOException {
    this.file = file;
    this.clock = clock;
    this.whenFull = whenFull;
    out = begin();
    writer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            flush();
          }
        },
        FLUSH_MILLIS,
        FLUSH_MILLIS);
  }

  private OutputStream begin() throws IOException {
    OutputStream begun = new Compressor(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW));
    String names = CSVSaveService.printableFieldNamesToString(columns) + "\n";
    begun.write(names.getBytes(StandardCharsets.UTF_8));
    return begun;
  }

  /**
   * @param lateMillis how long it waited for its start, which is part of its time
   */
  void write(SampleEvent event, long lateMillis) {
    String line =
        clock.stamped(
            CSVSaveService.resultToDelimitedString(event, event.getResult(), columns, DELIMITER),
            lateMillis);
    synchronized (lock) {
      if (!closed) {
        lines.append(line).append('\n');
      }
    }
  }

  /** Completes what is there as that other file and begins anew. */
  synchronized void cut(Path other) throws IOException {
    flush();
    refuseAfterFailure();
    out.close();
    Files.move(file, other);
    out = begin();
  }

  /** Writes the remaining samples and ends the file; later samples are ignored. */
  synchronized void close() throws IOException {
    writer.cancel();
    flush();
    synchronized (lock) {
      closed = true;
    }
    refuseAfterFailure();
    out.close();
  }

  private void refuseAfterFailure() throws IOException {
    synchronized (lock) {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }

  /**
   * Writes the buffer. After an error no more samples are accepted, so that memory does not fill
   * up.
   */
  private synchronized void flush() {
    StringBuilder full;
    synchronized (lock) {
      full = lines;
      lines = new StringBuilder(Math.max(BUFFER, full.length()));
    }
    try {
      if (full.length() > 0) {
        out.write(full.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException fault) {
      synchronized (lock) {
        closed = true;
        failure = Optional.of(fault);
      }
      whenFull.accept(fault);
    }
  }

  /** JMeter's default columns, regardless of the plan's or the user's properties. */
  private static SampleSaveConfiguration columns() {
    SampleSaveConfiguration columns = new SampleSaveConfiguration(true);
    columns.setAsXml(false);
    columns.setEncoding(false);
    columns.setFileName(false);
    columns.setHostname(false);
    columns.setSampleCount(false);
    columns.setSamplerData(false);
    columns.setResponseData(false);
    columns.setRequestHeaders(false);
    columns.setResponseHeaders(false);
    columns.setFieldNames(true);
    columns.setDateFormat(null);
    return columns;
  }

  /** Fast compression that makes everything written so far readable on flush. */
  private static final class Compressor extends GZIPOutputStream {
    Compressor(OutputStream file) throws IOException {
      super(new BufferedOutputStream(file, BUFFER), BUFFER, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /**
   * The wall clock of a generator. On the embedded lab, whose machines share one clock, a file
   * whose path is in the property {@code slicewise.clock} contains by how many milliseconds it is
   * wrong.
   */
  record WallClock(Optional<Path> error) {
    static WallClock ofThisProcess() {
      return new WallClock(
          Optional.ofNullable(System.getProperty("slicewise.clock")).map(Path::of));
    }

    Instant now() {
      return Instant.now().plus(ahead());
    }

    /**
     * Returns a row of samples with its first column, the time stamp, by this clock, and with an
     * earlier start.
     */
    String stamped(String row, long earlierMillis) {
      if (error.isEmpty() && earlierMillis == 0) {
        return row;
      }
      String[] columns = row.split(",", 3);
      long stamp = Long.parseLong(columns[0]) + ahead().toMillis() - earlierMillis;
      return stamp + "," + (Long.parseLong(columns[1]) + earlierMillis) + "," + columns[2];
    }

    private Duration ahead() {
      try {
        return error.isPresent()
            ? Duration.ofMillis(Long.parseLong(Files.readString(error.get()).strip()))
            : Duration.ZERO;
      } catch (IOException none) {
        return Duration.ZERO;
      }
    }
  }
}
