package io.slicewise.study.edge;

import io.slicewise.cli.commands.StudyCommand;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.StudyKind;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.study.RunStudy;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Search;
import io.slicewise.workload.tiles.Tile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The consolidation study: how many guests fit with each profile. It measures the numbers of guests
 * near the edge that it predicts.
 */
public final class Edge implements StudyKind, Search, RunStudy, StudyCommand.OwnCommand {
  @Override
  public String key() {
    return "edge";
  }

  @Override
  public String description() {
    return "the numbers of guests near the most that fit";
  }

  @Override
  public List<String> lacks(List<Load> loads, List<Tile> tiles, Aim aim) {
    List<String> lacks = new ArrayList<>();
    if (Axis.GUESTS.levels(loads).size() < 2) {
      lacks.add("order edge needs several numbers of guests, such as 'guests: 1..8'");
    }
    if (loads.stream().map(load -> load.without(Axis.GUESTS)).distinct().count() > 1) {
      lacks.add("order edge needs one load for each guest: one number of users");
    }
    List<String> unlimited =
        tiles.stream().filter(tile -> tile.goal().isEmpty()).map(Tile::name).toList();
    boolean limited = aim.goal().filter(goal -> goal.limit().isPresent()).isPresent();
    if (!limited && (tiles.isEmpty() || !unlimited.isEmpty())) {
      lacks.add(
          "order edge needs a goal with a limit for each guest, such as 'goal: p95 < 200ms'%s"
              .formatted(
                  unlimited.isEmpty() ? "" : "; without one: " + String.join(", ", unlimited)));
    }
    return lacks;
  }

  @Override
  public String note() {
    return "the search measures the first number of guests, then those near the edge that it predicts,"
        + " up to three times as often where they are not decided; the list shows all that it"
        + " could begin with";
  }

  @Override
  public String end() {
    return "the edge is found";
  }

  @Override
  public boolean needsGoals() {
    return true;
  }

  @Override
  public List<Trial> plan(Experiment experiment) {
    return new EdgeCourse(experiment, List.of()).plan();
  }

  @Override
  public Round next(Experiment experiment, List<Measured> measured) {
    EdgeCourse course = new EdgeCourse(experiment, measured);
    return new Round(course.next(), course.reason());
  }

  @Override
  public Told told(LoadedRun run) {
    ConsolidationStudy study = ConsolidationStudy.of(run.experiment(), run.results());
    return new Told(
        "Consolidation study: " + study.answer(), ConsolidationTables.of(run.name(), study));
  }

  @Override
  public Callable<Integer> command() {
    return new ConsolidationCommand();
  }
}
