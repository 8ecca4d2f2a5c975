package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * {@code mkdir -p}, {@code mktemp -d}, {@code rm}, {@code cat}, {@code ls}, {@code df}, {@code ln
 * -s}, {@code readlink}, {@code chown}.
 */
public record FileTools(HostFiles files, RandomGenerator random) {
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  private static final long DISK_KIB = 8_000_000;
  private static final long KEPT_KIB = 2_600_000;

  public Map<String, Program> tools() {
    return Map.ofEntries(
        Map.entry("ln", this::ln),
        Map.entry("readlink", this::readlink),
        Map.entry("mkdir", this::mkdir),
        Map.entry("mktemp", this::mktemp),
        Map.entry("rm", this::rm),
        Map.entry("cat", this::cat),
        Map.entry("ls", new DirectoryListing(files)),
        Map.entry("df", this::df),
        Map.entry("chown", this::chown));
  }

  private int mkdir(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "pm:", "parents=p");
    for (String directory : options.operands()) {
      if (refusedByDisk(invocation, "mkdir: cannot create directory '" + directory + "'")) {
        return 1;
      }
      Path made = files.locate(invocation.path(directory));
      if (!options.has('p') && Files.exists(made)) {
        invocation.complain("mkdir: cannot create directory '%s': File exists\n", directory);
        return 1;
      }
      Files.createDirectories(made);
    }
    return 0;
  }

  private int mktemp(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "dp:", "directory=d");
    String template =
        options.operands().isEmpty() ? "/tmp/tmp.XXXXXXXXXX" : options.operands().get(0);
    if (refusedByDisk(invocation, "mktemp: failed to create via template '" + template + "'")) {
      return 1;
    }
    StringBuilder path = new StringBuilder(template);
    for (int i = path.length() - 1; i >= 0 && path.charAt(i) == 'X'; i--) {
      path.setCharAt(i, LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    Path made = files.locate(invocation.path(path.toString()));
    if (options.has('d')) {
      Files.createDirectory(made);
    } else {
      Files.createFile(made);
    }
    invocation.print("%s\n", path);
    return 0;
  }

  private boolean refusedByDisk(Invocation invocation, String what) throws IOException {
    if (files.full()) {
      invocation.complain("%s: No space left on device\n", what);
    }
    return files.full();
  }

  private int ln(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "s", "symbolic=s");
    List<String> operands = options.operands();
    if (!options.has('s') || operands.size() != 2) {
      invocation.complain("ln: only 'ln -s TARGET LINK' is known here\n");
      return 1;
    }
    if (!files.link(invocation.path(operands.get(1)), operands.get(0))) {
      invocation.complain(
          "ln: failed to create symbolic link '%s': File exists\n", operands.get(1));
      return 1;
    }
    return 0;
  }

  /** Prints the target of a link, or nothing if the file is not a link, as coreutils does. */
  private int readlink(Invocation invocation) throws IOException {
    Optional<String> target = files.linkTarget(invocation.path(invocation.arguments().get(0)));
    if (target.isEmpty()) {
      return 1;
    }
    invocation.print("%s\n", target.get());
    return 0;
  }

  private int rm(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "rRf", "recursive=r force=f");
    int status = 0;
    for (String name : options.operands()) {
      Path path = files.locate(invocation.path(name));
      if ((options.has('r') || options.has('R')) && path.equals(files.root())) {
        invocation.complain(
            """
            rm: it is dangerous to operate recursively on '%s'%s
            rm: use --no-preserve-root to override this failsafe
            """,
            name, name.equals("/") ? "" : " (same as '/')");
        return 1;
      }
      if ((options.has('r') || options.has('R')) && name.matches("(.*/)?\\.\\.?/*")) {
        invocation.complain("rm: refusing to remove '.' or '..' directory: skipping '%s'\n", name);
        status = 1;
        continue;
      }
      if (files.unlink(invocation.path(name))) {
        continue;
      }
      if (!Files.exists(path)) {
        status = options.has('f') ? status : 1;
        if (!options.has('f')) {
          invocation.complain("rm: cannot remove '%s': No such file or directory\n", name);
        }
      } else if (Files.isDirectory(path) && !options.has('r') && !options.has('R')) {
        invocation.complain("rm: cannot remove '%s': Is a directory\n", name);
        status = 1;
      } else {
        FileUtils.forceDelete(path.toFile());
      }
    }
    return status;
  }

  /**
   * Checks that the files exist. Ownership does not change, because the host has only one login.
   */
  private int chown(Invocation invocation) throws IOException {
    List<String> operands = Getopt.parse(invocation.arguments(), "R", "recursive=R").operands();
    if (operands.size() < 2) {
      invocation.complain("chown: missing operand\n");
      return 1;
    }
    int status = 0;
    for (String name : operands.subList(1, operands.size())) {
      if (!Files.exists(files.locate(invocation.path(name)))) {
        invocation.complain("chown: cannot access '%s': No such file or directory\n", name);
        status = 1;
      }
    }
    return status;
  }

  private int cat(Invocation invocation) throws IOException {
    int status = 0;
    for (String name : invocation.arguments().isEmpty() ? List.of("-") : invocation.arguments()) {
      if (name.equals("-")) {
        invocation.input().transferTo(invocation.output());
        invocation.output().flush();
        continue;
      }
      try {
        invocation.output().write(files.read(invocation.path(name)));
      } catch (FileNotFoundException missing) {
        boolean directory = Files.isDirectory(files.locate(invocation.path(name)));
        invocation.complain(
            "cat: %s: %s\n", name, directory ? "Is a directory" : "No such file or directory");
        status = 1;
      }
    }
    return status;
  }

  private int df(Invocation invocation) throws IOException {
    long available = files.full() ? 0 : DISK_KIB - KEPT_KIB;
    invocation.print("Filesystem     1024-blocks      Used Available Capacity Mounted on\n");
    invocation.print(
        "/dev/sda1        %11d %9d %9d %7d%% /\n",
        DISK_KIB,
        DISK_KIB - available,
        available,
        ((DISK_KIB - available) * 100 + DISK_KIB - 1) / DISK_KIB);
    return 0;
  }

  /**
   * {@code ls}: prints sorted names, or one line for each with {@code -l}. Root owns every file.
   */
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
}
