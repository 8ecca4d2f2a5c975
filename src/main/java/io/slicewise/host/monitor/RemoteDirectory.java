package io.slicewise.host.monitor;

import io.slicewise.ssh.CommandResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** A private temporary directory on the host; closing it removes it with its contents. */
final class RemoteDirectory implements AutoCloseable {
  /** A regular expression for every such directory of this program, of any owner. */
  static final String EVERY = "/tmp/slicewise-([0-9a-f]{16}-)?[A-Za-z0-9]{10}";

  private static final String PREFIX = "slicewise-";

  /** Shows no other file of /tmp: a run keeps what its host answers. */
  private static final String LIST = "for one in /tmp/" + PREFIX + "*; do echo \"$one\"; done";

  private final Host host;
  private final String path;
  private boolean removed;

  /** Represents an existing directory. */
  RemoteDirectory(Host host, String path) {
    this.host = host;
    this.path = path;
  }

  static RemoteDirectory make(Host host) {
    CommandResult made =
        host.must(
            host.change("mktemp", "-d", template(host.owner())), "create a directory for logs");
    return new RemoteDirectory(host, made.standardOutput().strip());
  }

  private static String template(String owner) {
    return "/tmp/%s%s%s".formatted(PREFIX, owner.isEmpty() ? "" : owner + "-", "XXXXXXXXXX");
  }

  /** Removes every such directory of those owners; returns their paths. */
  static List<String> removeAll(Host host, Set<String> owners) {
    List<String> left =
        host.must(host.read("sh", "-c", LIST), "list /tmp")
            .standardOutput()
            .lines()
            .filter(
                path ->
                    owners.stream()
                        .anyMatch(owner -> path.startsWith("/tmp/" + PREFIX + owner + "-")))
            .sorted()
            .toList();
    left.forEach(path -> new RemoteDirectory(host, path).close());
    return left;
  }

  String path() {
    return path;
  }

  /** The full name of a file in it. */
  String file(String name) {
    return path + "/" + name;
  }

  /** Returns its files after making them readable for the login. */
  List<String> names() {
    host.handOver(path);
    return host.must(host.read("ls", "-1", path), "list the monitor's logs")
        .standardOutput()
        .lines()
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .sorted()
        .toList();
  }

  /** Fetches a file, compresses it and returns its local path. */
  Path fetch(String name, Path directory) {
    Path plain = directory.resolve(name);
    host.shell().fetch(file(name), plain);
    Path packed = directory.resolve(name + ".gz");
    try (InputStream in = Files.newInputStream(plain);
        OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      in.transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("could not compress " + plain, e);
    }
    delete(plain);
    return packed;
  }

  private static void delete(Path plain) {
    try {
      Files.delete(plain);
    } catch (IOException e) {
      throw new UncheckedIOException("could not remove " + plain, e);
    }
  }

  /**
   * A regular expression for {@code pkill -f} that matches every command line with this directory
   * in it, but not its own.
   */
  String pattern() {
    int last = path.length() - 1;
    return path.substring(0, last) + "[" + path.charAt(last) + "]/";
  }

  @Override
  public void close() {
    if (!removed) {
      host.must(host.change("rm", "-rf", "--", path), "remove " + path);
      removed = true;
    }
  }
}
