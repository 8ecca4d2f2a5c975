package io.slicewise.sweep;

import io.slicewise.run.RunDirectory;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.ShellListener;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Keeps the answers of a run's host in its directory. */
final class AnswerKeeper implements ShellListener {
  private final Path root;
  private final HostRecording recording;

  AnswerKeeper(RunDirectory run) {
    this.root = run.root().toAbsolutePath();
    this.recording = HostRecording.in(root);
  }

  @Override
  public void answered(CommandResult result, boolean input) {
    recording.add(
        HostAnswer.of(
            now(),
            result.command().words(),
            input,
            result.exitStatus(),
            result.standardOutput(),
            result.standardError()));
  }

  @Override
  public void ended(Command command) {
    recording.add(HostAnswer.ended(now(), command.words()));
  }

  @Override
  public void fetched(String remoteFile, Path localFile) {
    Path local = localFile.toAbsolutePath();
    if (local.startsWith(root)) {
      recording.add(HostAnswer.file(now(), remoteFile, root.relativize(local).toString()));
    }
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
