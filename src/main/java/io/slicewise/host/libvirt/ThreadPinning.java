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
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where threads of a guest run that are none of its vCPUs: a row for each kind of them.
 *
 * @param listing the command of virsh that shows a row for each thread
 * @param command the one that pins
 * @param option what names a thread to it; empty if the threads have one pinning
 */
record ThreadPinning(
    Parameter<String> parameter, String listing, String command, Optional<String> option) {
  static final List<ThreadPinning> ALL =
      List.of(
          new ThreadPinning(Cfs.EMULATOR_PINNING, "emulatorpin", "emulatorpin", Optional.empty()),
          new ThreadPinning(
              Cfs.IOTHREAD_PINNING, "iothreadinfo", "iothreadpin", Optional.of("--iothread")));

  private static final Pattern ROW = Pattern.compile("\\s*(\\d+|\\*):?\\s+([0-9^,-]+)\\s*");

  /** Returns the words that show the pinning of a guest. */
  List<String> reading(String uuid) {
    return List.of(listing, "--live", "--domain", uuid);
  }

  /** Returns what virsh shows; as found if there are no such threads, or not numbered from 1. */
  String parse(String text) {
    List<String> cpus = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        if (!row.group(1).equals(id(cpus.size()))) {
          return parameter.defaultValue();
        }
        cpus.add(row.group(2));
      }
    }
    return Pinning.ofThreads(cpus);
  }

  private String id(int place) {
    return option.isPresent() ? Integer.toString(place + 1) : "*";
  }

  private static int count(String value) {
    return value.split("/", -1).length;
  }

  /** Returns whether a pinning is what was read of the threads that there are. */
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
   * Returns the words that turn one pinning into another.
   *
   * @throws HypervisorException if the guest has no such threads
   */
  List<List<String>> words(
      List<String> guest, SchedulerParameters current, SchedulerParameters wanted) {
    String value = wanted.get(parameter);
    if (value.isEmpty() || (!current.isByVcpu() && shows(wanted, current))) {
      return List.of();
    }
    String now = current.isByVcpu() ? current.each().get(0).get(parameter) : current.get(parameter);
    if (now.isEmpty()) {
      throw new HypervisorException(
          "%s %s: this guest has no such threads that are numbered from 1."
              .formatted(parameter.key(), value),
          "Remove it from the profile.");
    }
    return all(guest, count(now), place -> Pinning.at(value, place));
  }

  private List<List<String>> all(List<String> guest, int threads, Function<Integer, String> value) {
    List<List<String>> commands = new ArrayList<>();
    for (int place = 0; place < threads; place++) {
      int at = place;
      commands.add(
          Stream.of(
                  List.of(command, "--live"),
                  guest,
                  option.map(name -> List.of(name, id(at))).orElse(List.of()),
                  List.of("--cpulist", value.apply(at)))
              .flatMap(List::stream)
              .toList());
    }
    return commands;
  }

  /** Returns the undo of a change of this pinning; empty if there is nothing to undo. */
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
              "^ *%s:? +".formatted(option.isPresent() ? id(i) : "\\*"),
              Pinning.at(found, i),
              change.texts(
                  of -> Pinning.at(of.get(parameter).isEmpty() ? found : of.get(parameter), place)),
              " *$"));
    }
    List<String> shown =
        Stream.of(List.of(listing, "--live"), guest).flatMap(List::stream).toList();
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
