package io.slicewise.load.access;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.Window;
import io.slicewise.load.access.LineFormats.LineFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Logs that a site already has, read once from their files.
 *
 * @param requests that count, by start
 * @param leftOut requests that do not count, by the selection
 * @param unread lines that were not understood; {@code example} is one of them
 * @param resolutionMicros the smallest difference between two durations
 * @param note on its times; empty without one
 */
public record LogReplay(
    List<Seen> requests,
    long leftOut,
    long unread,
    String example,
    long resolutionMicros,
    Optional<String> note) {
  private static final int SHOWN = 160;

  public LogReplay {
    requests = List.copyOf(requests);
  }

  /**
   * Reads files, of which some may be compressed by gzip.
   *
   * @throws SlicewiseException if one cannot be read, or has no line of the format
   */
  public static LogReplay read(List<Path> files, LineFormats formats, Selection selection) {
    ZoneOffset zone = ZoneId.systemDefault().getRules().getOffset(Instant.now());
    Reader reader = new Reader(formats.at(zone), selection.new Filter());
    files.forEach(reader::read);
    if (reader.requests.isEmpty() && reader.leftOut == 0) {
      throw SlicewiseException.input(
          reader.unread == 0
              ? "there is no line in " + files
              : "no line of %s is of format %s, such as '%s'%s"
                  .formatted(
                      files,
                      formats.name(),
                      Visible.line(
                          reader.example.substring(0, Math.min(SHOWN, reader.example.length()))),
                      formats.why(reader.example).map(why -> ": " + why).orElse("")),
          "fix 'log' in the experiment, or name another file");
    }
    reader.requests.sort(Comparator.comparingLong(Seen::startMicros));
    return new LogReplay(
        reader.requests,
        reader.leftOut,
        reader.unread,
        reader.example,
        reader.format.resolutionMicros(),
        Request.wholeSeconds(reader.whole, reader.leftOut + reader.requests.size()));
  }

  private static final class Reader {
    final LineFormat format;
    final Selection.Filter filter;
    final List<Seen> requests = new ArrayList<>();
    long leftOut;
    long unread;
    long whole;
    String example = "";

    Reader(LineFormat format, Selection.Filter filter) {
      this.format = format;
      this.filter = filter;
    }

    void read(Path file) {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          take(line);
        }
      } catch (IOException fault) {
        throw SlicewiseException.input(
            "%s cannot be read: %s".formatted(file, FileFault.reason(fault)),
            "name the site's access log, or a copy of it",
            fault);
      }
    }

    private static InputStream open(Path file) throws IOException {
      InputStream raw = Files.newInputStream(file);
      return file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
    }

    private void take(String line) {
      Optional<Request> read = format.read(line);
      whole += read.filter(Request::isWholeSecond).isPresent() ? 1 : 0;
      if (read.isEmpty()) {
        unread++;
        example = line;
      } else if (filter.counts(read.get())) {
        requests.add(Seen.of(read.get(), read.get().startMicros(), filter.label(read.get())));
      } else {
        leftOut++;
      }
    }
  }

  /** Returns the time from the first start to the last; empty without requests. */
  public Optional<Window> span() {
    return requests.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Window(instant(requests.get(0)), instant(requests.get(requests.size() - 1))));
  }

  private static Instant instant(Seen seen) {
    return Instant.EPOCH.plus(Duration.ofNanos(1000 * seen.startMicros()));
  }

  /** Passes on what ended in each second, in order, as a study that followed the log sees it. */
  public void seconds(LoggedSeconds.Listener listener) {
    LoggedSeconds seconds = new LoggedSeconds();
    seconds.listener(listener);
    span()
        .ifPresent(
            span -> {
              seconds.pass(span.start());
              requests.forEach(seen -> seconds.take(seen, resolutionMicros));
              seconds.pass(span.end());
            });
  }

  /** Returns what started in a window, as a study that followed the log would have read it. */
  public LoggedWindow in(Window window) {
    List<Seen> within =
        requests.subList(first(Seen.micros(window.start())), first(Seen.micros(window.end())));
    return new LoggedWindow(
        within,
        0,
        0,
        0,
        "",
        Duration.ZERO,
        Duration.ZERO,
        Duration.ZERO,
        Silence.of(window, within, window).stream().toList());
  }

  /** Returns the place of the first request that started at a time or later. */
  private int first(long micros) {
    int low = 0;
    int high = requests.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (requests.get(middle).startMicros() < micros) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
