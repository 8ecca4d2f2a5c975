package io.slicewise.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the commands whose classes most commands need: a plan, and the report of a simulated run.
 * The launcher makes an archive of the classes that this process loads.
 */
final class CommonClasses {
  private CommonClasses() {}

  /**
   * Runs them.
   *
   * @param arguments the installation's directory, and an empty one for the simulated run
   */
  public static void main(String[] arguments) throws IOException {
    Main.prepare();
    Path experiments = Path.of(arguments[0], "experiments");
    Path results = Path.of(arguments[1]);
    run("plan", "--offline", experiments.resolve("observe.yaml").toString());
    run("simulate", experiments.resolve("demo.yaml").toString(), "--out", results.toString());
    List<Path> runs;
    try (Stream<Path> made = Files.list(results)) {
      runs = made.toList();
    }
    for (Path made : runs) {
      run("report", made.toString());
      run("recommend", made.toString());
      run("check", made.toString());
    }
    run("--help");
  }

  /** Runs a command as {@link Main} does, which ends the process. */
  private static void run(String... arguments) {
    if (!PlainReduce.is(arguments)) {
      Slicewise.execute(arguments);
    }
  }
}
