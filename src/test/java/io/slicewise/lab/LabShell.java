package io.slicewise.lab;

import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.io.FileUtils;

/** The control domain's shell without the way to it, where that way is not what is tested. */
final class LabShell implements AutoCloseable {
  private final Boot boot;
  private final Path directory;
  private final HostFiles files;
  private final Shell shell;

  /** What a line left. */
  record Result(int status, String output, String errors) {}

  LabShell(LabOptions options) {
    try {
      directory = Files.createTempDirectory("slicewise-lab-shell-");
      files = new HostFiles(directory);
      boot = Boot.of(options, files, options.bootScheduler().xenName(), 0);
      shell = boot.shell(options, files, new AtomicBoolean(), scheduler -> {});
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  Result run(String line) {
    return run(line, Invocation.ROOT);
  }

  Result run(String line, String user) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    try {
      int status =
          shell.run(
              new Invocation(
                  List.of(line),
                  InputStream.nullInputStream(),
                  output,
                  errors,
                  Map.of(Invocation.USER, user)));
      return new Result(
          status, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  HostFiles files() {
    return files;
  }

  @Override
  public void close() {
    boot.close();
    try {
      FileUtils.forceDelete(directory.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
