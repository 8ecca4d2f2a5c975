package io.slicewise.run.journal;

import io.slicewise.base.units.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number and checksum of a journal's last line, in a separate file, which reveals missing lines
 * at the end. It is written after the line is on disk, so after a crash it may name an earlier
 * line, but never a nonexistent one.
 */
public final class JournalHead implements AutoCloseable {
  private static final Pattern CONTENT = Pattern.compile("(\\d{10}) ([0-9a-f]{16})\n");

  private final Path file;
  private FileChannel channel;

  public JournalHead(Path journal) {
    this.file = journal.resolveSibling("journal.head");
  }

  /**
   * Writes the last line's number and checksum, always with the same number of bytes, so that an
   * old entry is overwritten completely.
   */
  public void write(int number, String sum) throws IOException {
    if (channel == null) {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      OwnerOnly.close(file);
    }
    String text = "%010d %s\n".formatted(number, sum);
    ByteBuffer content = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    while (content.hasRemaining()) {
      channel.write(content, content.position());
    }
  }

  /** Returns the content of the file; empty without one. */
  String read() throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
  }

  /**
   * Returns the damage of a journal that lacks lines according to a content that was read before
   * them. A first line may be on disk before there is a content.
   */
  static Optional<RunDamage> damage(String content, JournalLines lines) {
    Matcher named = CONTENT.matcher(content);
    if (!named.matches()) {
      return lines.last() > (content.isEmpty() ? 1 : 0) ? Optional.of(unknown()) : Optional.empty();
    }
    int number = Integer.parseInt(named.group(1).substring(1));
    boolean behind = number < lines.last();
    boolean same = number == lines.last() && named.group(2).equals(lines.sum());
    return behind || same
        ? Optional.empty()
        : Optional.of(
            new RunDamage(
                RunDamage.Kind.JOURNAL_LINES_MISSING,
                "journal.jsonl",
                "it ends before its last line, which had number %d".formatted(number)));
  }

  private static RunDamage unknown() {
    return new RunDamage(
        RunDamage.Kind.JOURNAL_END_UNKNOWN,
        "journal.head",
        "missing or altered; it cannot be verified whether the journal lacks lines at its end");
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
