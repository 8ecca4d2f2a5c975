package io.slicewise.cli;

import io.slicewise.sweep.LoadedRun;
import io.slicewise.sweep.RunDirectory;
import java.io.PrintWriter;

/** Reports on standard error what of a run directory is damaged, before anything is said of it. */
final class Damages {
  private Damages() {}

  static void report(PrintWriter err, RunDirectory run) {
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
