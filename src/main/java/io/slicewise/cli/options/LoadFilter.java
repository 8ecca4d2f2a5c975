package io.slicewise.cli.options;

import io.slicewise.experiment.Load;
import java.util.List;
import picocli.CommandLine.Option;

/** Selects loads; all of them by default. */
public final class LoadFilter {
  @Option(
      names = "--users",
      paramLabel = "N",
      split = ",",
      description = "Select only these numbers of users.")
  private List<Integer> users = List.of();

  @Option(
      names = "--neighbours",
      paramLabel = "N",
      split = ",",
      description = "Select only these numbers of interfering neighbours.")
  private List<Integer> neighbours = List.of();

  public boolean takes(Load load) {
    return (users.isEmpty() || users.contains(load.users()))
        && (neighbours.isEmpty() || load.neighbours().stream().anyMatch(neighbours::contains));
  }
}
