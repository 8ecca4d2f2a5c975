package io.slicewise.sweep.imported;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
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
import java.util.Set;
import java.util.stream.Stream;

/**
 * The assignment of files to the trials of an experiment. Every file in a pattern's directory is
 * reported, including those without a trial.
 *
 * @param files by trial, in the order of the plan
 * @param missing trials without a file
 * @param strange files of the pattern that name no trial of the experiment, each with the reason
 * @param others other files below the directory, which do not match the pattern
 * @param idle given names that no file has, each after its option
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
   * Finds the files of an experiment's trials.
   *
   * @throws SlicewiseException if the directory cannot be read
   */
  public static Matches of(Experiment experiment, FilePattern pattern) {
    List<Trial> plan = Plan.of(experiment);
    Map<Trial, List<Path>> found = new LinkedHashMap<>();
    List<String> strange = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    Set<FilePattern.Parts> borne = new HashSet<>();
    for (Path file : below(pattern.base())) {
      Optional<FilePattern.Parts> parts = pattern.match(file);
      if (parts.isEmpty()) {
        others.add(file);
        continue;
      }
      borne.add(parts.get());
      List<Trial> trials = plan.stream().filter(trial -> is(trial, parts.get())).toList();
      if (trials.size() == 1) {
        found.computeIfAbsent(trials.get(0), none -> new ArrayList<>()).add(file);
      } else {
        strange.add(file + ": " + reason(experiment, pattern, parts.get()));
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
    return SlicewiseException.input(
        directory + " cannot be read: " + FileFault.reason(fault),
        "The part of a pattern before its first { or * is the directory of the files.",
        fault);
  }

  private static boolean is(Trial trial, FilePattern.Parts parts) {
    return trial.profile().equals(parts.profile())
        && trial.repetition() == parts.repetition()
        && trial.load().levels().entrySet().containsAll(parts.load().levels().entrySet());
  }

  private static String reason(
      Experiment experiment, FilePattern pattern, FilePattern.Parts parts) {
    if (experiment.profiles().stream().noneMatch(p -> p.name().equals(parts.profile()))) {
      return "the experiment has no profile %s; --profile-name %s=NAME maps it"
          .formatted(parts.profile(), parts.profile());
    }
    for (Axis axis : Axis.values()) {
      List<Level> levels = experiment.levels(axis);
      if (!pattern.has(axis) && levels.size() > 1) {
        return "the pattern has no {%s}, and the experiment has several: %s"
            .formatted(axis.key(), axis.text(levels));
      }
      Optional<Level> level = parts.load().level(axis);
      if (level.isPresent() && !levels.contains(level.get())) {
        return "the experiment has no load %s %s"
            .formatted(axis.drives() ? "of" : "with", axis.text(level.get()));
      }
    }
    return "the experiment has no repetition %s, but %s"
        .formatted(parts.repetition(), experiment.repetitions());
  }
}
