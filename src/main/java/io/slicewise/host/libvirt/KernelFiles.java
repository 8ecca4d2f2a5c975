package io.slicewise.host.libvirt;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads small files of the kernel and of libvirt on the host, many with one command. */
record KernelFiles(RemoteShell shell) {

  /** Returns the contents by path; a file that cannot be read is absent. */
  Map<String, String> read(List<String> paths) {
    return paths.isEmpty() ? Map.of() : contents(paths, shell.run(reading(paths)).standardOutput());
  }

  /** Returns the command that prints every line of these files after its file's path. */
  static Command reading(List<String> paths) {
    List<String> words = new ArrayList<>(List.of("grep", "-sH", "", "--"));
    words.addAll(paths);
    return Command.reading(words);
  }

  /** Parses the output of {@link #reading} into contents by path. */
  static Map<String, String> contents(List<String> paths, String printed) {
    Map<String, StringBuilder> lines = new LinkedHashMap<>();
    List<String> known = paths.stream().distinct().toList();
    for (String line : printed.lines().toList()) {
      known.stream()
          .filter(path -> line.startsWith(path + ":"))
          .reduce((one, other) -> one.length() > other.length() ? one : other)
          .ifPresent(
              path ->
                  lines
                      .computeIfAbsent(path, any -> new StringBuilder())
                      .append(line, path.length() + 1, line.length())
                      .append('\n'));
    }
    Map<String, String> contents = new LinkedHashMap<>();
    lines.forEach((path, text) -> contents.put(path, text.toString()));
    return contents;
  }
}
