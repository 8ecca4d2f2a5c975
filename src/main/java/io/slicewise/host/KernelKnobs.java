package io.slicewise.host;

import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.profile.Kernel;
import io.slicewise.profile.Kernel.File;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the Linux kernel of a host keeps in files ({@link Kernel}): read with one command, and
 * written by the shell. A file that the host does not have is as found.
 */
final class KernelKnobs {
  private static final String BOOT = "/proc/sys/kernel/random/boot_id";

  /** A disk without a medium, such as a loop device that is not in use, has this size. */
  private static final String SIZES = "/sys/block/*/size";

  private static final Pattern CHOSEN = Pattern.compile("\\[(\\S+)]");
  private static final Pattern DISK = Pattern.compile("/sys/block/([^/]+)/.*");

  private final RemoteShell shell;
  private final boolean sudo;

  /** What was read last; a kernel offers the same words until it boots anew. */
  private Contents last = new Contents(Map.of());

  /**
   * @param sudo whether commands are called through {@code sudo -n}
   */
  KernelKnobs(RemoteShell shell, boolean sudo) {
    this.shell = shell;
    this.sudo = sudo;
  }

  /** The values that the kernel of this host takes, where its file lists them. */
  private record Contents(Map<String, String> byPath) {
    /** Returns the paths of a file, in order. */
    List<String> paths(File file, String disk) {
      Pattern pattern =
          Pattern.compile(
              Stream.of(file.path().split("\\*", -1))
                  .map(Pattern::quote)
                  .collect(Collectors.joining(disk.isEmpty() ? "[^/]+" : Pattern.quote(disk))));
      return byPath.keySet().stream().filter(path -> pattern.matcher(path).matches()).toList();
    }

    String value(List<String> paths) {
      List<String> values = paths.stream().map(this::value).toList();
      return values.stream().distinct().count() == 1
          ? values.get(0)
          : String.join(Kernel.BETWEEN, values);
    }

    private String value(String path) {
      Matcher chosen = CHOSEN.matcher(byPath.get(path));
      return chosen.find() ? chosen.group(1) : byPath.get(path);
    }

    /** Returns the words of which a file shows the chosen one; none if it shows no others. */
    Set<String> words(List<String> paths) {
      return paths.stream()
          .map(byPath::get)
          .filter(text -> CHOSEN.matcher(text).find())
          .flatMap(text -> Stream.of(text.replaceAll("[\\[\\]]", "").split("\\s+")))
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }
  }

  private Contents contents() {
    List<String> patterns = new ArrayList<>(List.of(SIZES));
    Stream.of(Kernel.HOST, Kernel.DISK)
        .flatMap(List::stream)
        .map(File::path)
        .forEach(patterns::add);
    CommandResult result =
        shell.run(command(Command.Effect.READS, "grep -sH '' -- " + String.join(" ", patterns)));
    Map<String, String> byPath = new TreeMap<>();
    result
        .standardOutput()
        .lines()
        .filter(line -> line.startsWith("/") && line.contains(":"))
        .forEach(
            line ->
                byPath.put(
                    line.substring(0, line.indexOf(':')),
                    line.substring(line.indexOf(':') + 1).strip()));
    last = new Contents(byPath);
    return last;
  }

  private Command command(Command.Effect effect, String script) {
    return new Command(List.of("sh", "-c", script), Optional.empty(), effect).throughSudo(sudo);
  }

  /** Returns the settings of the host and of its disks. */
  List<Hypervisor.Setting> settings() {
    Contents contents = contents();
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    settings.put(Scope.HOST.target(""), read(Scheduler.KERNEL, contents, ""));
    for (String path : contents.byPath().keySet()) {
      Matcher disk = DISK.matcher(path);
      if (disk.matches()
          && !contents.byPath().get("/sys/block/%s/size".formatted(disk.group(1))).equals("0")) {
        settings.computeIfAbsent(
            Scope.DISK.target(disk.group(1)),
            target -> read(Scheduler.DISK, contents, disk.group(1)));
      }
    }
    return settings.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(none(entry.getValue().scheduler())))
        .map(entry -> new Hypervisor.Setting(new Target.Files(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static SchedulerParameters none(Scheduler of) {
    return SchedulerParameters.defaults(of);
  }

  private static SchedulerParameters read(Scheduler of, Contents contents, String disk) {
    SchedulerParameters read = none(of);
    for (File file : Kernel.files(of.scope())) {
      List<String> paths = contents.paths(file, disk);
      if (!paths.isEmpty()) {
        read = read.with(file.parameter(), contents.value(paths));
      }
    }
    return read;
  }

  /** Returns whether a reading is a setting; what a setting leaves as found does not matter. */
  static boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return set.scheduler() == read.scheduler()
        && Kernel.files(set.scheduler().scope()).stream()
            .map(File::parameter)
            .allMatch(its -> !Kernel.isGiven(set.get(its)) || set.get(its).equals(read.get(its)));
  }

  /** Returns the files whose value changes. */
  private static List<File> changed(SchedulerParameters current, SchedulerParameters wanted) {
    return Kernel.files(wanted.scheduler().scope()).stream()
        .filter(file -> Kernel.isGiven(wanted.get(file.parameter())))
        .filter(file -> !wanted.get(file.parameter()).equals(current.get(file.parameter())))
        .toList();
  }

  /** Returns the command that sets a target; none if nothing differs. */
  List<Command> commands(String target, SchedulerParameters current, SchedulerParameters wanted) {
    return changed(current, wanted).stream()
        .map(file -> write(target, file, wanted.get(file.parameter())))
        .toList();
  }

  /** Returns the command that writes a value, or one value into each of the files. */
  private Command write(String target, File file, String value) {
    String path = file.path().replace("*", Scope.of(target) == Scope.DISK ? disk(target) : "*");
    if (!path.contains("*")) {
      return command(Command.Effect.CHANGES, "echo %s >%s".formatted(value, path));
    }
    String each = value.replace(Kernel.BETWEEN, " ");
    return command(
        Command.Effect.CHANGES,
        "set -- %s; for f in %s; do echo \"$1\" >\"$f\" || exit 1; [ $# = 1 ] || shift; done"
            .formatted(each, path));
  }

  private static String disk(String target) {
    return Command.reading(Scope.name(target)).quoted();
  }

  /** Returns why the kernel of this host cannot take a setting, as a sentence; empty if it can. */
  Optional<String> refusal(String target, SchedulerParameters wanted) {
    Contents contents = contents();
    String disk = Scope.of(target) == Scope.DISK ? Scope.name(target) : "";
    for (File file : changed(none(wanted.scheduler()), wanted)) {
      List<String> paths = contents.paths(file, disk);
      String value = wanted.get(file.parameter());
      Set<String> words = contents.words(paths);
      if (paths.isEmpty()) {
        return Optional.of(
            "%s of %s is %s, which this host does not have"
                .formatted(
                    file.parameter().key(), target, file.path().replace("*", disk(target, disk))));
      }
      if (!words.isEmpty() && !words.contains(value)) {
        return Optional.of(
            "%s %s of %s is none of what its kernel offers: %s"
                .formatted(file.parameter().key(), value, target, String.join(", ", words)));
      }
      if (!isWritable(paths)) {
        return Optional.of(
            "%s of %s is not writable: %s%s"
                .formatted(
                    file.parameter().key(),
                    target,
                    paths.get(0),
                    sudo ? "" : "; it needs root, or sudo: true below host:"));
      }
    }
    return Optional.empty();
  }

  private static String disk(String target, String disk) {
    return disk.isEmpty() ? "*" : Scope.name(target);
  }

  /** Root passes every test of permissions, so the bits are read, too. */
  private boolean isWritable(List<String> paths) {
    String test =
        paths.stream()
            .map("[ -w %1$s ] && case $(ls -l %1$s) in ??w*) ;; *) false ;; esac"::formatted)
            .collect(Collectors.joining(" && "));
    return shell.run(command(Command.Effect.READS, test)).succeeded();
  }

  /** Returns the range that the host offers; that of the description if its file lists none. */
  String range(String target, Parameter<?> parameter, String pcpus) {
    String disk = Scope.of(target) == Scope.DISK ? Scope.name(target) : "";
    return file(target, parameter)
        .map(file -> last.words(last.paths(file, disk)))
        .filter(words -> !words.isEmpty())
        .map(words -> String.join(", ", words))
        .orElseGet(() -> parameter.kind().range(pcpus, 1));
  }

  private static Optional<File> file(String target, Parameter<?> parameter) {
    return Kernel.files(Scope.of(target)).stream()
        .filter(file -> file.parameter().equals(parameter))
        .findFirst();
  }

  /** Writes the differences, and returns what is read then. */
  List<Hypervisor.Applied> apply(
      List<Hypervisor.Setting> wanted, Map<String, SchedulerParameters> before) {
    for (Hypervisor.Setting one : wanted) {
      String name = one.target().name();
      SchedulerParameters current = before.getOrDefault(name, none(one.parameters().scheduler()));
      commands(name, current, one.parameters()).forEach(this::send);
    }
    Map<String, SchedulerParameters> after = Hypervisor.Setting.byName(settings());
    return wanted.stream()
        .map(
            one -> {
              SchedulerParameters read =
                  after.getOrDefault(one.target().name(), none(one.parameters().scheduler()));
              return new Hypervisor.Applied(
                  one.target(), one.parameters(), read, shows(one.parameters(), read));
            })
        .toList();
  }

  private void send(Command command) {
    CommandResult result = shell.run(command);
    if (!result.succeeded()) {
      throw new HypervisorException(
          "'%s' failed on %s: %s"
              .formatted(
                  command.words().get(command.words().size() - 1),
                  shell.address(),
                  result.standardError().strip()),
          "Check that the host's kernel takes this value.");
    }
  }

  /** Returns how the host restores a target by itself, until it boots anew. */
  Undo undo(Target target, Change change) {
    Contents contents = contents();
    String disk = Scope.of(target.name()) == Scope.DISK ? Scope.name(target.name()) : "";
    List<Part> parts = new ArrayList<>();
    for (File file : Kernel.files(Scope.of(target.name()))) {
      String found = change.found().get(file.parameter());
      if (change.parameters().contains(file.parameter().key()) && Kernel.isGiven(found)) {
        List<String> paths = contents.paths(file, disk);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
          int at = i;
          values.add(
              new Value(
                  "^%s:(.*\\[)?".formatted(Undo.literally(paths.get(i))),
                  Undo.literally(at(found, at)),
                  change.texts(
                      of -> Undo.literally(at(given(of.get(file.parameter()), found), at))),
                  "(\\].*)?$"));
        }
        parts.add(
            new Part(
                file.parameter().key(),
                List.of(write(target.name(), file, found)),
                command(Command.Effect.READS, "grep -sH '' -- " + String.join(" ", paths)),
                values));
      }
    }
    Command booted = command(Command.Effect.READS, "cat " + BOOT);
    String boot = shell.run(booted).standardOutput().strip();
    return new Undo(target.name(), new Reading(booted, List.of("^%s$".formatted(boot))), parts);
  }

  private static String given(String value, String found) {
    return Kernel.isGiven(value) ? value : found;
  }

  private static String at(String value, int place) {
    List<String> each = List.of(value.split(Kernel.BETWEEN, -1));
    return each.get(Math.min(place, each.size() - 1));
  }
}
