package io.slicewise.cli.screens;

import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.io.PrintWriter;

/** Reports damage to a run directory on standard error before any other output. */
public final class Damages {
  private Damages() {}

  /** Loads a run and reports its damage. */
  public static LoadedRun loaded(PrintWriter err, RunDirectory directory) {
    LoadedRun run = directory.load();
    report(err, run);
    return run;
  }

  public static void report(PrintWriter err, LoadedRun run) {
    if (!run.damages().isEmpty()) {
      err.println("slicewise: %s is damaged:".formatted(run.root()));
      run.sentences().forEach(sentence -> err.println("  " + sentence));
      err.println("  only intact parts are used; to repair: " + run.remedy());
    }
  }
}
