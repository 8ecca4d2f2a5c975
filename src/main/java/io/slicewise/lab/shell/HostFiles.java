package io.slicewise.lab.shell;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.io.FileUtils;

/**
 * The control domain's file system: a private directory of the real machine, presented as the root,
 * and files such as {@code /proc/stat} that are generated when they are read.
 */
public final class HostFiles {
  private final Path root;
  private final Map<Path, Generated> generated = new ConcurrentHashMap<>();
  private final Map<Path, Momentary> momentary = new ConcurrentHashMap<>();
  private final Map<Path, String> links = new ConcurrentHashMap<>();
  private final AtomicBoolean full = new AtomicBoolean();

  /** A file that is generated when it is read. Writing to it may have an effect. */
  private record Generated(Supplier<String> text, Optional<Consumer<String>> write) {}

  /** How a generated file is read together with others of the same instant. */
  private record Momentary(Consumer<Runnable> atOnce, Runnable before) {}

  public HostFiles(Path root) throws IOException {
    this.root = Files.createDirectories(root).toRealPath();
    for (String directory : new String[] {"tmp", "var/tmp", "var/run", "var/lib", "root", "proc"}) {
      Files.createDirectories(this.root.resolve(directory));
    }
  }

  public Path root() {
    return root;
  }

  /** Adds a read-only file whose text is generated when it is read. */
  public void generate(String path, Supplier<String> text) {
    generate(path, new Generated(text, Optional.empty()));
  }

  /**
   * Adds a read-only file that a program reads at the same instant as others.
   *
   * @param atOnce runs what generates several files; the same object for all of them
   * @param before called before the file is read with others
   */
  public void generate(
      String path, Supplier<String> text, Consumer<Runnable> atOnce, Runnable before) {
    generate(path, text);
    momentary.put(locate(path), new Momentary(atOnce, before));
  }

  /**
   * Adds a generated file that can be written. Its writer receives each text, and refuses one with
   * an exception whose message is the reason.
   */
  public void generate(String path, Supplier<String> text, Consumer<String> write) {
    generate(path, new Generated(text, Optional.of(write)));
  }

  private void generate(String path, Generated file) {
    generated.put(locate(path), file);
    try {
      Files.createDirectories(locate(path).getParent());
      Files.write(locate(path), new byte[0]); // makes it visible in listings and SFTP
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the text of a generated file, or empty if the path is an ordinary one. */
  public Optional<String> generatedText(String path) {
    return Optional.ofNullable(generated.get(locate(path))).map(file -> file.text().get());
  }

  /** Returns the texts of those files among some that are read at one instant. */
  public Map<String, String> textsAtOnce(Collection<String> paths) {
    Map<Consumer<Runnable>, List<String>> together = new HashMap<>();
    for (String path : paths) {
      Optional.ofNullable(momentary.get(locate(path)))
          .ifPresent(
              file -> {
                file.before().run();
                together.computeIfAbsent(file.atOnce(), any -> new ArrayList<>()).add(path);
              });
    }
    Map<String, String> texts = new HashMap<>();
    together.forEach(
        (atOnce, several) ->
            atOnce.accept(
                () ->
                    several.forEach(
                        path -> generatedText(path).ifPresent(text -> texts.put(path, text)))));
    return texts;
  }

  /** Returns whether a path is a generated file. */
  boolean isGenerated(String path) {
    return generated.containsKey(locate(path));
  }

  /** Removes a generated file, or a directory with all its contents. */
  public void withdraw(String path) {
    Path gone = locate(path);
    generated.keySet().removeIf(file -> file.startsWith(gone));
    momentary.keySet().removeIf(file -> file.startsWith(gone));
    FileUtils.deleteQuietly(gone.toFile());
  }

  /**
   * Creates a symbolic link that is never followed. Links are kept in memory, so that no client's
   * link can lead out of the root.
   *
   * @return whether the name was free
   */
  public boolean link(String path, String target) {
    return !Files.exists(locate(path)) && links.putIfAbsent(locate(path), target) == null;
  }

  public Optional<String> linkTarget(String path) {
    return Optional.ofNullable(links.get(locate(path)));
  }

  /**
   * Removes a link.
   *
   * @return whether the link existed
   */
  public boolean unlink(String path) {
    return links.remove(locate(path)) != null;
  }

  /** Sets whether every write fails from now on. */
  public void full(boolean nowFull) {
    full.set(nowFull);
  }

  public boolean full() {
    return full.get();
  }

  /** Returns the real path of a path of the host, which is never outside the root. */
  public Path locate(String path) {
    Path relative = Path.of("/root").resolve(path).normalize();
    return root.resolve(relative.toString().substring(1));
  }

  /** Returns the bytes of a file, generated or not. */
  public byte[] read(String path) throws IOException {
    Optional<String> made = generatedText(path);
    if (made.isPresent()) {
      return made.get().getBytes(StandardCharsets.UTF_8);
    }
    Path file = locate(path);
    if (!Files.isRegularFile(file)) {
      throw new FileNotFoundException(path);
    }
    return Files.readAllBytes(file);
  }

  /** Opens a file for writing. {@code /dev/null} discards everything. */
  public OutputStream open(String path, boolean append) throws IOException {
    if (path.equals("/dev/null")) {
      return OutputStream.nullOutputStream();
    }
    refuseIfFull(path);
    if (!Files.isDirectory(locate(path).getParent())) {
      throw new NoSuchFileException(path);
    }
    Generated made = generated.get(locate(path));
    if (made != null) {
      return new GeneratedOutput(made.write());
    }
    return append
        ? Files.newOutputStream(locate(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND)
        : Files.newOutputStream(locate(path));
  }

  /** Appends text to a file. */
  public void append(String path, String text) throws IOException {
    refuseIfFull(path);
    Files.writeString(locate(path), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Checks that the disk has room.
   *
   * @throws DiskFullException if the disk is full
   */
  public void refuseIfFull(String path) throws DiskFullException {
    if (full.get()) {
      throw new DiskFullException(path);
    }
  }

  /** The output to a generated file. Each flush passes on one write. */
  static final class GeneratedOutput extends ByteArrayOutputStream {
    private final Optional<Consumer<String>> write;

    GeneratedOutput(Optional<Consumer<String>> write) {
      this.write = write;
    }

    @Override
    public void flush() throws IOException {
      if (size() == 0) {
        return;
      }
      String text = toString(StandardCharsets.UTF_8);
      reset();
      try {
        write.orElseThrow(() -> new IllegalStateException("Permission denied")).accept(text);
      } catch (RuntimeException refused) {
        throw new WriteRefusedException(String.valueOf(refused.getMessage()));
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  /** Thrown when the host's disk is full. */
  public static final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    DiskFullException(String path) {
      super(path + ": No space left on device");
    }
  }

  /** Thrown when a kernel file refuses the text written to it. */
  static final class WriteRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    WriteRefusedException(String reason) {
      super("echo: write error: " + reason);
    }
  }
}
