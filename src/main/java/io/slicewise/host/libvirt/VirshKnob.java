package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Value;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a command of virsh shows and sets of a guest: where threads run that are not its vCPUs', its
 * weight at the disks, and how many vCPUs it uses.
 *
 * <p>The number of vCPUs is set through the guest's agent, which takes them offline and online
 * again. Unplugged by {@code setvcpus --live} they would need the same guest's help, and one that
 * does not give it, or an emulator that does not report it, leaves a change that cannot be undone.
 *
 * @param listing the command that shows a row for each thread, or one row
 * @param command the one that sets
 * @param scope the option that names what both are about
 * @param thread the option that names a thread to it; empty if there is one value for the guest
 * @param row what begins the row of that value; empty if it stands alone
 * @param value the option with the value
 * @param missing why a guest has no such value
 */
record VirshKnob(
    Parameter<String> parameter,
    String listing,
    String command,
    String scope,
    Optional<String> thread,
    String row,
    String value,
    String missing) {
  private static final String LIVE = "--live";
  private static final String NO_THREADS =
      "this guest has no such threads that are numbered from 1";

  static final List<VirshKnob> ALL =
      List.of(
          new VirshKnob(
              Cfs.EMULATOR_PINNING,
              "emulatorpin",
              "emulatorpin",
              LIVE,
              Optional.empty(),
              "*",
              "--cpulist",
              NO_THREADS),
          new VirshKnob(
              Cfs.IOTHREAD_PINNING,
              "iothreadinfo",
              "iothreadpin",
              LIVE,
              Optional.of("--iothread"),
              "",
              "--cpulist",
              NO_THREADS),
          new VirshKnob(
              Cfs.DISK_WEIGHT,
              "blkiotune",
              "blkiotune",
              LIVE,
              Optional.empty(),
              "weight",
              "--weight",
              "this host weighs no disks: it needs the I/O scheduler bfq, or io.cost of cgroup v2"),
          new VirshKnob(
              Cfs.ONLINE_VCPUS,
              "vcpucount",
              "setvcpus",
              "--guest",
              Optional.empty(),
              "",
              "--count",
              "this guest has no guest agent that answers"));

  private static final Pattern ROW =
      Pattern.compile("\\s*(?:(\\d+|\\*|weight)\\s*:?\\s+)?(\\d[0-9^,-]*)\\s*");

  /** Returns whether the guest itself answers, so that reading takes its time. */
  boolean asksGuest() {
    return !scope.equals(LIVE);
  }

  /** Returns the words that show the value of a guest. */
  List<String> reading(String uuid) {
    return List.of(listing, scope, "--domain", uuid);
  }

  /** Returns what virsh shows; as found if the guest has none, or threads not numbered from 1. */
  String parse(String text) {
    List<String> cpus = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        if (!Objects.requireNonNullElse(row.group(1), "").equals(id(cpus.size()))) {
          return parameter.defaultValue();
        }
        cpus.add(row.group(2));
      }
    }
    return Pinning.ofThreads(cpus);
  }

  private String id(int place) {
    return thread.isPresent() ? Integer.toString(place + 1) : row;
  }

  private static int count(String value) {
    return value.split("/", -1).length;
  }

  /** Returns whether a value is what was read of the threads that there are. */
  boolean shows(SchedulerParameters set, SchedulerParameters read) {
    String wanted = set.get(parameter);
    String shown = read.get(parameter);
    if (wanted.isEmpty()) {
      return true;
    }
    for (int i = 0; i < count(shown); i++) {
      if (!Pinning.at(wanted, i).equals(Pinning.at(shown, i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the words that turn one value into another.
   *
   * @throws HypervisorException if the guest has none
   */
  List<List<String>> words(
      List<String> guest, SchedulerParameters current, SchedulerParameters wanted) {
    String to = wanted.get(parameter);
    if (to.isEmpty() || (!current.isByVcpu() && shows(wanted, current))) {
      return List.of();
    }
    String now = current.isByVcpu() ? current.each().get(0).get(parameter) : current.get(parameter);
    if (now.isEmpty()) {
      throw new HypervisorException(
          "%s %s: %s.".formatted(parameter.key(), to, missing),
          "Give it one, or remove this from the profile.");
    }
    return all(guest, count(now), place -> Pinning.at(to, place));
  }

  private List<List<String>> all(List<String> guest, int threads, Function<Integer, String> to) {
    List<List<String>> commands = new ArrayList<>();
    for (int place = 0; place < threads; place++) {
      int at = place;
      commands.add(
          Stream.of(
                  List.of(command, scope),
                  guest,
                  thread.map(name -> List.of(name, id(at))).orElse(List.of()),
                  List.of(value, to.apply(at)))
              .flatMap(List::stream)
              .toList());
    }
    return commands;
  }

  /** Returns the undo of a change of this value; empty if there is nothing to undo. */
  Optional<Part> undo(
      List<String> guest,
      Change change,
      Function<List<String>, Command> changing,
      Function<List<String>, Command> reading) {
    String found = change.found().get(parameter);
    if (found.isEmpty() || !change.parameters().contains(parameter.key())) {
      return Optional.empty();
    }
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < count(found); i++) {
      int place = i;
      values.add(
          new Value(
              id(i).isEmpty() ? "^" : "^ *%s *:? +".formatted(id(i).replace("*", "\\*")),
              Pinning.at(found, i),
              change.texts(
                  of -> Pinning.at(of.get(parameter).isEmpty() ? found : of.get(parameter), place)),
              " *$"));
    }
    List<String> shown = Stream.of(List.of(listing, scope), guest).flatMap(List::stream).toList();
    return Optional.of(
        new Part(
            parameter.key(),
            all(guest, count(found), place -> Pinning.at(found, place)).stream()
                .map(changing)
                .toList(),
            reading.apply(shown),
            values));
  }
}
