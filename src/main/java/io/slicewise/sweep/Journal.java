package io.slicewise.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.units.ExitCode;
import io.slicewise.units.OwnerOnly;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal of a run: one event a line, on disk before {@link #append} returns.
 *
 * <p>A process killed while appending leaves at most one line without its newline. Such a line
 * never counted, so it is cut off when the journal is opened for writing, and skipped when it is
 * only read. Any other line that cannot be read is a fault: a journal with holes must not decide
 * what to restore.
 */
public final class Journal implements AutoCloseable {
  private final FileChannel channel;
  private long end;

  /** Appends behind the channel's last byte, which must be a newline. */
  Journal(FileChannel channel) throws IOException {
    this.channel = channel;
    this.end = channel.size();
  }

  static Journal open(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      channel.truncate(endOfLastLine(Files.readAllBytes(file)));
      channel.force(true);
      forceDirectory(file.toAbsolutePath().getParent());
      OwnerOnly.close(file);
      return new Journal(channel);
    } catch (IOException e) {
      throw fault("cannot open the journal " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes the event and waits until it is on disk. A line that could not be written whole is cut
   * off again, now or before the next one, so that no later line ever continues it. Thread-safe.
   */
  synchronized void append(JournalEvent event) {
    try {
      byte[] line =
          (SweepJson.MAPPER.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8);
      cutOff();
      ByteBuffer buffer = ByteBuffer.wrap(line);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
      end += line.length;
    } catch (IOException e) {
      SlicewiseException fault = fault("cannot write to the journal: " + e.getMessage(), e);
      try {
        cutOff();
      } catch (IOException again) {
        fault.addSuppressed(again);
      }
      throw fault;
    }
  }

  private void cutOff() throws IOException {
    if (channel.size() > end) {
      channel.truncate(end);
    }
    channel.position(end);
  }

  /** All events in a journal file, oldest first; empty if there is no such file. */
  static List<JournalEvent> read(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, 0, endOfLastLine(bytes), StandardCharsets.UTF_8);
      List<JournalEvent> events = new ArrayList<>();
      int number = 0;
      for (String line : text.lines().toList()) {
        number++;
        events.add(parse(file, number, line));
      }
      return events;
    } catch (IOException e) {
      throw fault("cannot read the journal " + file + ": " + e.getMessage(), e);
    }
  }

  private static JournalEvent parse(Path file, int number, String line) {
    try {
      return SweepJson.MAPPER.readValue(line, JournalEvent.class);
    } catch (JsonProcessingException e) {
      throw fault(file + ":" + number + ": this line of the journal cannot be read", e);
    }
  }

  private static int endOfLastLine(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /** A new file survives a crash of the machine only when its directory is on disk too. */
  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  private static SlicewiseException fault(String message, Exception cause) {
    return new SlicewiseException(ExitCode.INTERNAL, message, "", cause);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw fault("cannot close the journal: " + e.getMessage(), e);
    }
  }
}
