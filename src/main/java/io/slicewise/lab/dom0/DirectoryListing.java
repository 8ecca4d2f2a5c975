package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code ls}: prints sorted names, or one line for each with {@code -l}. Root owns every file. */
record DirectoryListing(HostFiles files) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "1aAldn", "");
    List<String> names = options.operands().isEmpty() ? List.of(".") : options.operands();
    List<String> plain = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    int status = 0;
    for (String name : names.stream().sorted().toList()) {
      Path path = files.locate(invocation.path(name));
      if (!Files.exists(path)) {
        invocation.complain("ls: cannot access '%s': No such file or directory\n", name);
        status = 2;
      } else if (Files.isDirectory(path) && !options.has('d')) {
        directories.add(name);
      } else {
        plain.add(name);
      }
    }
    for (String name : plain) {
      line(invocation, options, name, name);
    }
    boolean headed = names.size() > 1;
    boolean first = plain.isEmpty();
    for (String name : directories) {
      invocation.print("%s", headed ? (first ? "" : "\n") + name + ":\n" : "");
      first = false;
      contents(invocation, options, name);
    }
    return status;
  }

  private void contents(Invocation invocation, Getopt options, String name) throws IOException {
    List<String> children;
    try (Stream<Path> all = Files.list(files.locate(invocation.path(name)))) {
      children = all.map(child -> child.getFileName().toString()).sorted().toList();
    }
    if (options.has('l')) {
      invocation.print("total %d\n", children.size() * 4);
    }
    if (options.has('a')) {
      line(invocation, options, name, ".");
      line(invocation, options, name, "..");
    }
    for (String child : children) {
      if (!child.startsWith(".") || options.has('a') || options.has('A')) {
        line(invocation, options, name + "/" + child, child);
      }
    }
  }

  private void line(Invocation invocation, Getopt options, String name, String shown)
      throws IOException {
    if (!options.has('l')) {
      invocation.print("%s\n", shown);
      return;
    }
    String path = invocation.path(name);
    boolean directory = Files.isDirectory(files.locate(path));
    long size = directory ? 4096 : files.read(path).length;
    String time =
        DateTimeFormatter.ofPattern("MMM dd HH:mm", Locale.ROOT)
            .withZone(ZoneOffset.UTC)
            .format(Files.getLastModifiedTime(files.locate(path)).toInstant());
    invocation.print(
        "%s %d root root %d %s %s\n",
        directory ? "drwxr-xr-x" : "-rw-r--r--", directory ? 2 : 1, size, time, shown);
  }
}
