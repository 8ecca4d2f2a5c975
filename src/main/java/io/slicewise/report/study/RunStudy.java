package io.slicewise.report.study;

import io.slicewise.run.LoadedRun;

/** What a kind of study has to say in the report of its run. */
public interface RunStudy {
  /** Returns what a run shows. */
  Told told(LoadedRun run);

  /**
   * A study of a run.
   *
   * @param answer in one line, with the name of the study
   */
  record Told(String answer, StudyReport report) {}
}
