package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.GeneratorProcess;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One generator's machine: its login, which is kept, the cache directory, and the directories of
 * trials. Faults of the machine are reported with the generator's name and never as a lost host.
 */
final class GeneratorHost implements AutoCloseable {
  private static final Duration LOOK_LIMIT = Duration.ofMinutes(1);
  private static final Duration COPY_LIMIT = Duration.ofMinutes(10);

  /** Prints the cache directory and the number of cores. */
  private static final String LOOK =
      """
      umask 077
      cache="${XDG_CACHE_HOME:-$HOME/.cache}/slicewise"
      mkdir -p "$cache/jars" && cd "$cache" && pwd -P && nproc
      find jars/ -type f -mtime +30 -exec rm -f {} +
      find . -path './run-*' -name '*.jtl.gz' -mtime +30 -exec rm -f {} +
      """;

  /** Prints the jars that are missing or damaged, and marks the others as used. */
  private static final String MISSING =
      """
      cd "$1" || exit 1
      LC_ALL=C sha256sum -c "$2" 2>/dev/null | sed -n 's/: FAILED.*//p'
      while read -r sum name; do touch -c "$name"; done < "$2"
      rm -f "$2"
      """;

  /** Gives copied jars their names, if their contents are right; prints the others. */
  private static final String ARRIVED =
      """
      cd "$1" || exit 1
      part=$2
      shift 2
      for jar do
        sum=$(sha256sum "$jar$part" | cut -d' ' -f1)
        case "jars/$sum-" in
          "${jar%%-*}-") mv "$jar$part" "$jar" ;;
          *) rm -f "$jar$part"; echo "$jar" ;;
        esac
      done
      """;

  /** Ends the process of a trial's directory, if it still runs; fails if it cannot. */
  private static final String END =
      """
      pid=$(cat "$1/pid" 2>/dev/null) || exit 0
      runs() { tr '\\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$1"; }
      runs "$1" || exit 0
      kill -9 "$pid"
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        runs "$1" || exit 0
        sleep 0.1
      done
      exit 1
      """;

  private static final String CLOCK = "while read -r asked; do date +%s.%N; done";

  private static final String PROGRAM =
      "export CLASSPATH=\"$1\"; exec \"$2\" -Xmx64m -XX:+UseSerialGC \"$3\"";

  private static final String START =
      "cd \"$1\" && echo $$ >pid && exec \"$2\" \"@$1/java-arguments\" 2>generator.log";

  private static final String RUN = "cd \"$1\" && shift && exec nice -n 19 \"$@\"";
  private static final String REMOVE = "rm -rf \"$1\"; rmdir \"${1%/*}\" 2>/dev/null; :";
  private static final String CLEAN = "find \"$1\" -type f ! -name '*.jtl.gz' -exec rm -f {} +";

  private final GeneratorMachine machine;
  private final Supplier<Bundle> bundle;
  private final Duration endLimit;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();
  private Optional<RemoteShell> shell = Optional.empty();
  private Optional<Place> place = Optional.empty();

  /**
   * The machine as found.
   *
   * @param cache the directory for jars and trials
   * @param classPath of the generator's program
   */
  record Place(String cache, int cores, String classPath) {}

  /**
   * @param bundle is asked once, when the machine is used for the first time
   * @param endLimit for a command that ends a process
   */
  GeneratorHost(GeneratorMachine machine, Supplier<Bundle> bundle, Duration endLimit) {
    this.endLimit = endLimit;
    this.machine = machine;
    this.bundle = bundle;
  }

  GeneratorMachine machine() {
    return machine;
  }

  /** Returns the machine with the program on it: the first call copies what is missing. */
  synchronized Place place() {
    if (place.isEmpty()) {
      place = Optional.of(using(this::look));
    }
    return place.get();
  }

  private Place look(RemoteShell there) {
    List<String> found = output(there, sh(LOOK)).lines().toList();
    String cache = found.get(0);
    int cores = Integer.parseInt(found.get(1).strip());
    if (machine.connection().isEmpty()) {
      return new Place(cache, cores, GeneratorProcess.absoluteClassPath());
    }
    Bundle ours = bundle.get();
    copyMissing(there, cache, ours);
    return new Place(cache, cores, ours.classPath(cache));
  }

  private void copyMissing(RemoteShell there, String cache, Bundle ours) {
    String list = "wanted-" + UUID.randomUUID();
    there.send(ours.sums(), cache + "/" + list);
    List<String> missing = output(there, sh(MISSING, cache, list)).lines().toList();
    if (missing.isEmpty()) {
      return;
    }
    Map<String, Path> files =
        ours.jars().stream()
            .collect(Collectors.toMap(jar -> "jars/" + jar.name(), Bundle.Jar::file, (a, b) -> a));
    String part = ".part-" + UUID.randomUUID();
    missing.forEach(jar -> there.send(files.get(jar), cache + "/" + jar + part));
    List<String> words = new ArrayList<>(List.of(cache, part));
    words.addAll(missing);
    String damaged = output(there, sh(ARRIVED, words.toArray(String[]::new))).strip();
    if (!damaged.isEmpty()) {
      throw fault(
          "%s did not arrive there as it was sent: %s"
              .formatted(damaged.lines().count() == 1 ? "a jar" : "jars", damaged),
          "check the disk and the network of the machine");
    }
  }

  /** Reads what the machine offers; nothing is created there. */
  MachineFacts facts() {
    return using(
        there ->
            MachineFacts.of(
                output(there, sh(MachineFacts.SCRIPT, machine.java()).within(LOOK_LIMIT)),
                clock(there)));
  }

  private ClockOffset clock(RemoteShell there) {
    if (machine.connection().isEmpty()) {
      return ClockOffset.NONE;
    }
    try (Conversation clock = there.converse(sh(CLOCK))) {
      return ClockMeasurement.of(machine.name(), clock);
    }
  }

  /** Starts a program of this one's class path, which ends with its input. */
  Conversation converse(Class<?> program) {
    Place found = place();
    return using(
        there -> there.converse(sh(PROGRAM, found.classPath(), machine.java(), program.getName())));
  }

  /** Creates an empty directory for a trial; what runs in an earlier one of that name is ended. */
  void freshDirectory(String directory) {
    using(
        there -> {
          for (String left : List.copyOf(suspects)) {
            output(there, sh(END, left).within(endLimit));
            output(there, sh("rm -rf \"$1\"", left));
            suspects.remove(left);
          }
          output(there, sh(END, directory).within(endLimit));
          return output(there, sh("umask 077; rm -rf \"$1\" && mkdir -p \"$1\"", directory));
        });
  }

  /** Copies a file into a directory there. */
  void send(Path file, String remote) {
    using(
        there -> {
          there.send(file, remote);
          return remote;
        });
  }

  /** Copies a file into a directory below that of a trial. */
  void sendInto(String directory, String name, Path file) {
    using(
        there -> {
          output(there, sh("umask 077; mkdir -p \"$(dirname \"$1\")\"", directory + "/" + name));
          there.send(file, directory + "/" + name);
          return name;
        });
  }

  /** Starts the JVM of a trial, whose arguments are in the directory. */
  Conversation start(String directory) {
    return using(there -> there.converse(sh(START, directory, machine.java())));
  }

  /**
   * Ends the JVM of a trial if it still runs, also if it is stopped or does not listen. If the
   * machine does not answer, the login is given up; the JVM ends by itself, and this is checked
   * before the next trial.
   *
   * @return whether it has ended
   */
  boolean end(String directory) {
    try {
      using(there -> output(there, sh(END, directory).within(endLimit)));
      return true;
    } catch (SlicewiseException unreachable) {
      suspects.add(directory);
      close();
      return false;
    }
  }

  /** Copies a file here and compares its SHA-256 with that of the file there. */
  void fetch(String remote, Path local) {
    using(
        there -> {
          there.fetch(remote, local);
          String theirs = output(there, sh("sha256sum <\"$1\"", remote)).split(" ", 2)[0];
          if (!theirs.equals(sum(local))) {
            throw fault(
                "%s arrived damaged from %s".formatted(local, remote),
                "check the disk and the network of the machine");
          }
          return local;
        });
  }

  /** Removes a trial's directory, or what is in it besides samples. */
  void remove(String directory, boolean exceptSamples) {
    using(there -> output(there, sh(exceptSamples ? CLEAN : REMOVE, directory)));
  }

  /** Runs a program of the bundle in a trial's directory and waits for its end. */
  void run(String directory, String... words) {
    List<String> all =
        new ArrayList<>(List.of(directory, machine.java(), "-XX:+UseSerialGC", "-cp"));
    all.add(place().classPath());
    all.addAll(List.of(words));
    using(there -> output(there, sh(RUN, all.toArray(String[]::new))));
  }

  private static String sum(Path local) {
    try {
      return Sha256.of(local);
    } catch (IOException unreadable) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          local + " cannot be read: " + FileFault.reason(unreadable),
          "",
          unreadable);
    }
  }

  private <T> T using(Function<RemoteShell, T> work) {
    try {
      return work.apply(shell());
    } catch (RemoteShellException fault) {
      throw new SlicewiseException(
          ErrorKind.TRIAL_FAILED,
          "generator %s: %s".formatted(machine.name(), fault.getMessage()),
          fault.hint(),
          fault);
    }
  }

  private synchronized RemoteShell shell() {
    if (shell.isEmpty()) {
      shell = Optional.of(machine.connection().map(Shells::open).orElseGet(Shells::local));
    }
    return shell.get();
  }

  private String output(RemoteShell there, Command command) {
    CommandResult result = there.run(command);
    if (!result.succeeded()) {
      throw fault(
          "a command failed there with status %d: %s"
              .formatted(result.exitStatus(), result.standardError().strip()),
          "check that %s is a Linux machine with a writable home directory"
              .formatted(there.address()));
    }
    return result.standardOutput();
  }

  private SlicewiseException fault(String what, String hint) {
    return new SlicewiseException(
        ErrorKind.TRIAL_FAILED, "generator %s: %s".formatted(machine.name(), what), hint);
  }

  private static Command sh(String script, String... words) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", script, "slicewise"));
    all.addAll(List.of(words));
    return Command.changing(all).within(COPY_LIMIT);
  }

  @Override
  public synchronized void close() {
    shell.ifPresent(RemoteShell::close);
    shell = Optional.empty();
  }
}
