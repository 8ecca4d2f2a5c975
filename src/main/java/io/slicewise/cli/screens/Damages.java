package io.slicewise.cli.screens;

import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.io.PrintWriter;

/** Reports damage to a run directory on standard error before any other output. */
public final class Damages {
  private Damages() {}

  public static void report(PrintWriter err, RunDirectory run) {
    LoadedRun loaded = run.load();
    if (loaded.damages().isEmpty()) {
      return;
    }
    err.println("slicewise: %s is damaged:".formatted(run.root()));
    loaded.sentences().forEach(sentence -> err.println("  " + sentence));
    err.println("  only intact parts are used; to repair: " + loaded.remedy());
  }
}
