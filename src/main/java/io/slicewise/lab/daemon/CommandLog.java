package io.slicewise.lab.daemon;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A log of every command that has reached the host, in order. Thread-safe. */
public final class CommandLog {
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One command.
   *
   * @param line the command line as the client sent it
   * @param status the exit status; empty while the command runs, or if its connection broke
   */
  public record Entry(Instant at, String line, OptionalInt status) {}

  synchronized int began(String line) {
    entries.add(new Entry(Instant.now(), line, OptionalInt.empty()));
    return entries.size() - 1;
  }

  synchronized void ended(int number, int status) {
    Entry entry = entries.get(number);
    entries.set(number, new Entry(entry.at(), entry.line(), OptionalInt.of(status)));
  }

  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }
}
