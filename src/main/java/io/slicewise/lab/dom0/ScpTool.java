package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The server side of the old copy protocol, which {@code scp -O} starts over SSH: {@code scp -t}
 * receives files, {@code scp -f} sends them. Modes and times are not preserved.
 */
record ScpTool(HostFiles files) implements Program {
  private static final int OK = 0;
  private static final int FAILED = 1;

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "tfrpdvq", "");
    if (options.has('t') && options.operands().size() == 1) {
      return new Sink(invocation).take(invocation.path(options.operands().get(0)));
    }
    if (options.has('f') && !options.operands().isEmpty()) {
      return new Source(invocation, options.has('r')).send(options.operands());
    }
    invocation.complain("scp: only the server's side, -t or -f, is known here\n");
    return FAILED;
  }

  private static void answer(OutputStream output, int code, String text) throws IOException {
    output.write(code);
    output.write(text.getBytes(StandardCharsets.UTF_8));
    output.flush();
  }

  /** Reads a line without its line end. Returns an empty text at the end of the input. */
  private static String line(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /** Receives files from a client. */
  private final class Sink {
    private final InputStream input;
    private final OutputStream output;
    private int status = OK;

    Sink(Invocation invocation) {
      input = invocation.input();
      output = invocation.output();
    }

    int take(String target) throws IOException {
      answer(output, OK, "");
      String directory = target;
      for (String line = line(input); !line.isEmpty(); line = line(input)) {
        switch (line.charAt(0)) {
          case 'C' -> file(line, directory);
          case 'D' -> directory = directory(line, directory);
          case 'E' -> {
            directory = directory.substring(0, directory.lastIndexOf('/'));
            answer(output, OK, "");
          }
          case 'T' -> answer(output, OK, "");
          default -> status = FAILED; // an error message from the client
        }
      }
      return status;
    }

    /** Returns the path in a target directory, or the target itself if it is not a directory. */
    private String below(String target, String line) {
      String name = line.split(" ", 3)[2];
      boolean inside = Files.isDirectory(files.locate(target));
      return inside ? target + "/" + Path.of(name).getFileName() : target;
    }

    private String directory(String line, String target) throws IOException {
      String made = below(target, line);
      Files.createDirectories(files.locate(made));
      answer(output, OK, "");
      return made;
    }

    private void file(String line, String target) throws IOException {
      String path = below(target, line);
      answer(output, OK, "");
      byte[] bytes = input.readNBytes(Math.toIntExact(Long.parseLong(line.split(" ", 3)[1])));
      int end = input.read();
      if (end < 0) {
        throw new EOFException("the client ended in the middle of " + path);
      }
      try (OutputStream file = files.open(path, false)) {
        file.write(bytes);
        answer(output, OK, "");
      } catch (IOException refused) {
        status = FAILED;
        answer(output, FAILED, "scp: " + path + ": No such file or directory\n");
      }
    }
  }

  /** Sends the files that a client requests. */
  private final class Source {
    private final Invocation invocation;
    private final InputStream input;
    private final OutputStream output;
    private final boolean recursive;
    private int status = OK;

    Source(Invocation invocation, boolean recursive) {
      this.invocation = invocation;
      this.recursive = recursive;
      input = invocation.input();
      output = invocation.output();
    }

    int send(List<String> names) throws IOException {
      acknowledged();
      for (String name : names) {
        Path path = files.locate(invocation.path(name));
        if (!Files.exists(path)) {
          refuse("scp: " + name + ": No such file or directory\n");
        } else if (Files.isDirectory(path) && !recursive) {
          refuse("scp: " + name + ": not a regular file\n");
        } else {
          send(invocation.path(name));
        }
      }
      return status;
    }

    private void refuse(String reason) throws IOException {
      status = FAILED;
      answer(output, FAILED, reason);
    }

    private void send(String path) throws IOException {
      Path at = files.locate(path);
      String name = String.valueOf(at.getFileName());
      if (!Files.isDirectory(at)) {
        byte[] bytes = files.read(path);
        header("C0644 " + bytes.length + " " + name);
        output.write(bytes);
        answer(output, OK, "");
        acknowledged();
        return;
      }
      header("D0755 0 " + name);
      List<String> children;
      try (Stream<Path> all = Files.list(at)) {
        children = all.map(child -> child.getFileName().toString()).sorted().toList();
      }
      for (String child : children) {
        send(path + "/" + child);
      }
      header("E");
    }

    private void header(String line) throws IOException {
      output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      output.flush();
      acknowledged();
    }

    private void acknowledged() throws IOException {
      int code = input.read();
      if (code != OK) {
        throw new EOFException("the client stopped" + (code < 0 ? "" : ": " + line(input)));
      }
    }
  }
}
