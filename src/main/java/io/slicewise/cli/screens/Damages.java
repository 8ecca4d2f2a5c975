package io.slicewise.cli.screens;

import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.io.PrintWriter;

/** Reports on standard error what of a run directory is damaged, before anything is said of it. */
public final class Damages {
  private Damages() {}

  public static void report(PrintWriter err, RunDirectory run) {
    LoadedRun loaded = run.load();
    if (loaded.damages().isEmpty()) {
      return;
    }
    err.println("slicewise: %s is damaged:".formatted(run.root()));
    loaded.sentences().forEach(sentence -> err.println("  " + sentence));
    err.println("  what is sound is used; slicewise check --repair %s".formatted(run.root()));
    err.flush();
  }
}
