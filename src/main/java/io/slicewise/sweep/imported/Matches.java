package io.slicewise.sweep.imported;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which file belongs to which trial of an experiment, and what belongs to none: nothing that lies
 * below a pattern's directory goes without a word.
 *
 * @param files by trial, in the order of the plan
 * @param missing trials without a file
 * @param strange files of the pattern that name no trial of the experiment, each with the reason
 * @param others files below the directory that are not of the pattern
 * @param idle names that were told and that no file bears, each behind its option
 */
public record Matches(
    Map<Trial, List<Path>> files,
    List<Trial> missing,
    List<String> strange,
    List<Path> others,
    List<String> idle) {
  public Matches {
    missing = List.copyOf(missing);
    strange = List.copyOf(strange);
    others = List.copyOf(others);
    idle = List.copyOf(idle);
  }

  /**
   * Looks for the files of an experiment's trials.
   *
   * @throws SlicewiseException if the directory cannot be read
   */
  public static Matches of(Experiment experiment, FilePattern pattern) {
    List<Trial> plan = Plan.of(experiment);
    Map<Trial, List<Path>> found = new LinkedHashMap<>();
    List<String> strange = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    Set<FilePattern.Told> borne = new HashSet<>();
    for (Path file : below(pattern.base())) {
      Optional<FilePattern.Told> told = pattern.match(file);
      if (told.isEmpty()) {
        others.add(file);
        continue;
      }
      borne.add(told.get());
      List<Trial> trials = plan.stream().filter(trial -> is(trial, told.get())).toList();
      if (trials.size() == 1) {
        found.computeIfAbsent(trials.get(0), none -> new ArrayList<>()).add(file);
      } else {
        strange.add(file + ": " + why(experiment, told.get()));
      }
    }
    Map<Trial, List<Path>> inOrder = new LinkedHashMap<>();
    plan.stream()
        .filter(found::containsKey)
        .forEach(trial -> inOrder.put(trial, List.copyOf(found.get(trial))));
    return new Matches(
        inOrder,
        plan.stream().filter(trial -> !found.containsKey(trial)).toList(),
        strange,
        others,
        pattern.names().idle(borne));
  }

  private static List<Path> below(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw unreadable(directory, e);
    } catch (UncheckedIOException e) {
      throw unreadable(directory, e.getCause());
    }
  }

  private static SlicewiseException unreadable(Path directory, IOException fault) {
    return new SlicewiseException(
        ErrorKind.INPUT,
        directory + " cannot be read: " + FileFault.words(fault),
        "The part of a pattern before its first { or * names the directory the files lie in.",
        fault);
  }

  private static boolean is(Trial trial, FilePattern.Told told) {
    return trial.profile().equals(told.profile())
        && trial.repetition() == told.repetition()
        && told.users().map(users -> users == trial.users()).orElse(true)
        && told.neighbours()
            .map(number -> trial.load().neighbours().equals(OptionalInt.of(number)))
            .orElse(true);
  }

  private static String why(Experiment experiment, FilePattern.Told told) {
    if (experiment.profiles().stream().noneMatch(p -> p.name().equals(told.profile()))) {
      return "the experiment has no profile "
          + told.profile()
          + "; --profile-name "
          + told.profile()
          + "=NAME tells which it is";
    }
    if (told.users().isEmpty() && experiment.users().size() > 1) {
      return "the pattern has no {users}, and the experiment has several user loads";
    }
    if (told.neighbours().isEmpty() && !experiment.neighbours().isEmpty()) {
      return "the pattern has no {neighbours}, and the experiment has several numbers of them";
    }
    if (told.users().isPresent() && !experiment.users().contains(told.users().get())) {
      return "the experiment has no load of " + told.users().get() + " users";
    }
    if (told.neighbours().isPresent()
        && !experiment.neighbours().contains(told.neighbours().get())) {
      return "the experiment has no load beside " + told.neighbours().get() + " neighbours";
    }
    return "the experiment has no repetition "
        + told.repetition()
        + ", but "
        + experiment.repetitions();
  }
}
