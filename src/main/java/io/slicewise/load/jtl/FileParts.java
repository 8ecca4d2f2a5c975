package io.slicewise.load.jtl;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Format.Scanner;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.Words;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reduces a plain file in one part per thread, with the same result as one thread.
 *
 * <p>The start of a part's first row is a guess, because a line feed may be inside quotes. The
 * guess is compared with the actual end of the previous part; a part that began elsewhere, or with
 * other columns, is discarded and read again. If there are too many labels or codes to count
 * separately, which of them share a count depends on the order, and one thread reads the whole file
 * again.
 */
record FileParts(
    Path file,
    Format format,
    Optional<Window> window,
    ReductionOptions options,
    ReaderLimits limits) {
  private static final int LOOK_AHEAD = 1 << 16;

  Ledger reduce(int threads) throws IOException {
    List<Long> starts = starts(threads);
    if (starts.size() > 1) {
      Optional<Ledger> together = together(starts);
      if (together.isPresent()) {
        return together.get();
      }
    }
    return read(0, Long.MAX_VALUE, format).ledger;
  }

  /** Passes the whole file to an intake. */
  void read(Intake intake) throws IOException {
    scan(0, Long.MAX_VALUE, format, intake);
  }

  /**
   * The starts of the parts: the file's start, and a guessed row after each further share of it.
   */
  private List<Long> starts(int threads) throws IOException {
    List<Long> starts = new ArrayList<>(List.of(0L));
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      long size = bytes.length();
      for (int part = 1; part < threads; part++) {
        long start = rowAfter(bytes, size * part / threads);
        if (start > starts.get(starts.size() - 1)) {
          starts.add(start);
        }
      }
    }
    return starts;
  }

  /** The position of the next likely row; -1 if none is near. */
  private long rowAfter(RandomAccessFile bytes, long place) throws IOException {
    byte[] ahead = new byte[LOOK_AHEAD + Words.SLACK];
    bytes.seek(place);
    int length = bytes.read(ahead, 0, LOOK_AHEAD);
    for (int at = 0; at + 1 < length; at++) {
      if (ahead[at] == '\n' && format.looksLikeRow(ahead, at + 1)) {
        return place + at + 1;
      }
    }
    return -1;
  }

  /** Reads all parts in parallel and joins them; empty if one thread must read the file. */
  private Optional<Ledger> together(List<Long> starts) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(starts.size());
    try {
      List<Future<Part>> parts = new ArrayList<>();
      for (int i = 0; i < starts.size(); i++) {
        long start = starts.get(i);
        long until = i + 1 < starts.size() ? starts.get(i + 1) : Long.MAX_VALUE;
        parts.add(threads.submit(() -> read(start, until, format)));
      }
      return joined(starts, parts);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("reading was interrupted", stop);
    } finally {
      threads.shutdownNow();
    }
  }

  private Optional<Ledger> joined(List<Long> starts, List<Future<Part>> parts)
      throws IOException, InterruptedException {
    try {
      Part all = parts.get(0).get();
      for (int i = 1; i < parts.size(); i++) {
        Part next = parts.get(i).get();
        if (all.end == Files.size(file)) {
          break;
        }
        if (all.end != starts.get(i) || !all.format.equals(format)) {
          long until = i + 1 < starts.size() ? starts.get(i + 1) : Long.MAX_VALUE;
          next = read(all.end, Math.max(all.end, until), all.format);
        }
        all.ledger.append(next.ledger, all.lines);
        all = new Part(all.ledger, all.lines + next.lines, next.end, next.format);
      }
      return all.ledger.overflowed() || all.ledger.needsRoles()
          ? Optional.empty()
          : Optional.of(all.ledger);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof SlicewiseException) {
        return Optional.empty();
      }
      throw new IOException(failure.getCause());
    }
  }

  private Part read(long start, long until, Format current) throws IOException {
    Ledger ledger = new Ledger(window, options, limits, current.decoder(), Optional.empty());
    return scan(start, until, current, ledger).part(ledger);
  }

  private Stretch scan(long start, long until, Format current, Intake intake) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      bytes.seek(start);
      Chunk chunk = new Chunk(bytes::read, start, limits.chunk());
      Scanner scanner = current.scanner(chunk, intake, options, limits);
      long end = scanner.scan(until);
      return new Stretch(scanner.line() - 1, end, scanner.format());
    }
  }

  /** The number of lines read, and where and in which format the rest begins. */
  private record Stretch(long lines, long end, Format format) {
    Part part(Ledger ledger) {
      return new Part(ledger, lines, end, format);
    }
  }

  /**
   * A part of the file: its samples, number of lines, and where and in which format the rest
   * begins.
   */
  private record Part(Ledger ledger, long lines, long end, Format format) {}
}
