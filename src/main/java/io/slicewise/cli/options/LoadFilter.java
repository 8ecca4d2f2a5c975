package io.slicewise.cli.options;

import io.slicewise.experiment.Load;
import java.util.List;
import picocli.CommandLine.Option;

/** Which loads are asked for; all of them unless an option names some. */
public final class LoadFilter {
  @Option(
      names = "--users",
      paramLabel = "N",
      split = ",",
      description = "Ask for these numbers of users alone.")
  private List<Integer> users = List.of();

  @Option(
      names = "--neighbours",
      paramLabel = "N",
      split = ",",
      description = "Ask for these numbers of interfering neighbours alone.")
  private List<Integer> neighbours = List.of();

  public boolean takes(Load load) {
    return (users.isEmpty() || users.contains(load.users()))
        && (neighbours.isEmpty() || load.neighbours().stream().anyMatch(neighbours::contains));
  }
}
