package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * Reads the lines of a possibly damaged log, in bounded memory whatever the file contains. Lines
 * with NUL bytes (a block the file system never wrote before a crash), with invalid UTF-8 and
 * excessively long lines are counted and skipped. A gzip, recognized by its first bytes, is
 * unpacked as far as possible.
 */
final class LogLines {
  private static final int LONGEST = 64 * 1024;

  /** Java's replacement for invalid UTF-8. */
  private static final char NO_CHARACTER = '\uFFFD';

  /** Receives each usable line; {@code complete} is false for a last line without its newline. */
  interface Reader {
    void line(int number, String text, boolean complete);
  }

  private final Damage damage;
  private final Reader reader;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private int number = 1;
  private boolean nul;
  private boolean tooLong;

  private LogLines(Damage damage, Reader reader) {
    this.damage = damage;
    this.reader = reader;
  }

  /** Writes a log as a gzip. */
  static void write(Path file, String text) {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  static void read(Path file, Damage damage, Reader reader) {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
      read(isGzip(raw) ? new BufferedInputStream(new GZIPInputStream(raw)) : raw, damage, reader);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  static void read(String text, Damage damage, Reader reader) {
    try (InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
      read(in, damage, reader);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory cannot fail", e);
    }
  }

  static void read(InputStream in, Damage damage, Reader reader) throws IOException {
    LogLines lines = new LogLines(damage, reader);
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        lines.take(b);
      }
    } catch (EOFException | ZipException broken) {
      damage.add(Damage.Kind.CUT_GZIP, lines.number);
    }
    if (lines.line.size() > 0 || lines.nul || lines.tooLong) {
      lines.end(false);
    }
  }

  private static boolean isGzip(InputStream raw) throws IOException {
    raw.mark(2);
    boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b;
    raw.reset();
    return gzip;
  }

  private void take(int b) {
    if (b == '\n') {
      end(true);
    } else if (b == 0) {
      nul = true;
    } else if (line.size() >= LONGEST) {
      tooLong = true;
    } else {
      line.write(b);
    }
  }

  private void end(boolean complete) {
    if (nul) {
      damage.add(Damage.Kind.NUL_BYTES, number);
    } else if (tooLong) {
      damage.add(Damage.Kind.TOO_LONG, number);
    } else {
      hand(complete);
    }
    line.reset();
    nul = false;
    tooLong = false;
    number++;
  }

  private void hand(boolean complete) {
    String text = line.toString(StandardCharsets.UTF_8);
    if (text.indexOf(NO_CHARACTER) >= 0) {
      damage.add(Damage.Kind.HALF_CHARACTER, number);
    } else {
      reader.line(number, text, complete);
    }
  }

  /**
   * The damaged lines of a log: their number by kind, and the first few positions. Damaged lines
   * are never used and never dropped silently.
   */
  public static final class Damage {
    /** The kinds of damage to a line. */
    enum Kind {
      TRUNCATED("cut off at the end of the file"),
      NUL_BYTES("with NUL bytes"),
      HALF_CHARACTER("with an invalid character"),
      CUT_GZIP("after which the gzip is truncated or broken"),
      TOO_LONG("far too long"),
      WRONG_FIELDS("with the wrong number of fields"),
      NOT_A_NUMBER("with a field that is not a number"),
      ABSURD("with an impossible value"),
      BACKWARDS("going back in time"),
      REPEATED_HEADER("starting another recording"),
      HEADLESS("of a snapshot whose first line is lost"),
      WENT_BACK("of a snapshot before which counters went back: a restart, or a wrap");

      private final String words;

      Kind(String words) {
        this.words = words;
      }
    }

    private static final int SHOWN = 5;

    private record Tally(int count, List<Integer> firstLines) {}

    private final Map<Kind, Tally> tallies = new EnumMap<>(Kind.class);

    void add(Kind kind, int line) {
      Tally before = tallies.getOrDefault(kind, new Tally(0, List.of()));
      List<Integer> lines = new ArrayList<>(before.firstLines());
      if (lines.size() < SHOWN) {
        lines.add(line);
      }
      tallies.put(kind, new Tally(before.count() + 1, List.copyOf(lines)));
    }

    int count(Kind kind) {
      return tallies.containsKey(kind) ? tallies.get(kind).count() : 0;
    }

    int total() {
      return tallies.values().stream().mapToInt(Tally::count).sum();
    }

    /** Returns one sentence per kind, each with the log's name; empty if there is no damage. */
    public List<String> sentences(String log) {
      List<String> sentences = new ArrayList<>();
      tallies.forEach(
          (kind, tally) ->
              sentences.add(
                  Phrase.of(
                      "%s: %s %s (first at %s) ignored",
                      log,
                      Plural.of(tally.count(), "line"),
                      kind.words,
                      String.join(
                          ", ", tally.firstLines().stream().map(String::valueOf).toList()))));
      return sentences;
    }
  }
}
