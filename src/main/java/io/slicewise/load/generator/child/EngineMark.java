package io.slicewise.load.generator.child;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A file for each JMeter server on which users of this machine may run. It outlives this process,
 * so that the next one stops them; a server that is busy without one works for somebody else. It
 * contains the end of the longest load and this process's number.
 */
record EngineMark(Path directory) {
  void set(String server, Instant end) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(file(server), end + " " + ProcessHandle.current().pid());
  }

  void clear(String server) {
    try {
      Files.deleteIfExists(file(server));
    } catch (IOException kept) {
      // It ends with the longest load.
    }
  }

  /** Whether a process of this machine left users there that may still run. */
  boolean isLeft(String server) {
    try {
      if (!Files.isReadable(file(server))) {
        return false;
      }
      String[] words = Files.readString(file(server)).strip().split(" ", 2);
      long process = Long.parseLong(words[1]);
      return Instant.now().isBefore(Instant.parse(words[0]))
          && (process == ProcessHandle.current().pid()
              || ProcessHandle.of(process).filter(ProcessHandle::isAlive).isEmpty());
    } catch (IOException | RuntimeException damaged) {
      return false;
    }
  }

  private Path file(String server) {
    return directory.resolve(URLEncoder.encode(server, StandardCharsets.UTF_8));
  }
}
