package io.slicewise.sweep.imported;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Maps names in a study's files to those of the experiment: {@code w256} to a profile {@code
 * credit-256}, {@code low} to a load of 25 users, {@code a} to the first repetition. Other names
 * are those of the experiment.
 *
 * @param profiles the experiment's name by the files' name
 * @param users the number by the files' name
 * @param repetitions the number by the files' name, from 1
 */
public record FileNames(
    Map<String, String> profiles, Map<String, Integer> users, Map<String, Integer> repetitions) {
  /** No mapping: the files have the experiment's names. */
  public static final FileNames NONE = new FileNames(Map.of(), Map.of(), Map.of());

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  public FileNames {
    profiles = new LinkedHashMap<>(profiles);
    users = new LinkedHashMap<>(users);
    repetitions = new LinkedHashMap<>(repetitions);
  }

  /**
   * Parses the names given as options.
   *
   * @throws SlicewiseException with every name that is not in the experiment
   */
  public static FileNames of(
      Experiment experiment,
      Map<String, String> profiles,
      Map<String, String> users,
      Map<String, String> repetitions) {
    List<String> faults = new ArrayList<>();
    profiles.forEach(
        (name, profile) -> {
          slash("--profile-name", name, faults);
          if (experiment.profiles().stream().noneMatch(known -> known.name().equals(profile))) {
            faults.add(
                "--profile-name " + name + "=" + profile + ": the experiment has no such profile");
          }
        });
    Map<String, Integer> loads =
        numbers("--users-name", users, experiment.users()::contains, "load", faults);
    Map<String, Integer> rounds =
        numbers(
            "--repetition-name",
            repetitions,
            number -> number >= 1 && number <= experiment.repetitions(),
            "repetition",
            faults);
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(
          String.join("\n", faults),
          "Write the files' name first: --profile-name w256=credit-256 --repetition-name a=1");
    }
    return new FileNames(profiles, loads, rounds);
  }

  private static Map<String, Integer> numbers(
      String option,
      Map<String, String> parts,
      Predicate<Integer> known,
      String what,
      List<String> faults) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    parts.forEach(
        (name, text) -> {
          slash(option, name, faults);
          if (!NUMBER.matcher(text).matches()) {
            faults.add(option + " " + name + "=" + text + ": " + text + " is not a whole number");
          } else if (known.test(Integer.valueOf(text))) {
            numbers.put(name, Integer.valueOf(text));
          } else {
            faults.add(option + " " + name + "=" + text + ": the experiment has no such " + what);
          }
        });
    return numbers;
  }

  private static void slash(String option, String name, List<String> faults) {
    if (name.isEmpty() || name.contains("/")) {
      faults.add(option + " '" + name + "': a name must not be empty or contain a slash");
    }
  }

  /** Returns the names that no file has, each after its option. */
  List<String> idle(Collection<FilePattern.Parts> borne) {
    Set<String> profile = new HashSet<>();
    Set<String> load = new HashSet<>();
    Set<String> repetition = new HashSet<>();
    for (FilePattern.Parts parts : borne) {
      profile.add(parts.names().profile());
      load.add(parts.names().users());
      repetition.add(parts.names().repetition());
    }
    return Stream.of(
            idle("--profile-name ", profiles, profile),
            idle("--users-name ", users, load),
            idle("--repetition-name ", repetitions, repetition))
        .flatMap(names -> names)
        .toList();
  }

  private static Stream<String> idle(String option, Map<String, ?> parts, Set<String> borne) {
    return parts.keySet().stream().filter(name -> !borne.contains(name)).map(option::concat);
  }

  String profile(String name) {
    return profiles.getOrDefault(name, name);
  }

  /** Returns the level on an axis of a name in a file. */
  Level level(Axis axis, String name) {
    if (axis == Axis.USERS && users.containsKey(name)) {
      return Level.of(users.get(name));
    }
    return axis.isNumeric() ? Level.of(Double.parseDouble(name)) : Level.of(name);
  }

  static int number(String name, Map<String, Integer> names) {
    return names.containsKey(name) ? names.get(name) : Integer.parseInt(name);
  }

  /** A regular expression for the value of a variable in a file's name. */
  String pattern(String variable) {
    return switch (variable) {
      case "users" -> pattern(users);
      case "repetition" -> pattern(repetitions);
      case "profile", "part" -> "[^/]+";
      default -> NUMBER + "(?:\\.\\d{1,9})?";
    };
  }

  /** Digits, or one of the number's names, longest first. */
  private static String pattern(Map<String, Integer> names) {
    StringBuilder pattern = new StringBuilder();
    names.keySet().stream()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .forEach(name -> pattern.append(Pattern.quote(name)).append('|'));
    return pattern.append(NUMBER.pattern()).toString();
  }
}
