package io.slicewise.lab;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;

/** A shell to a host whose commands print something else where a regular expression matches. */
public class GarbledShell implements RemoteShell {
  private final RemoteShell real;
  private final String text;
  private final String instead;

  public GarbledShell(RemoteShell real, String text, String instead) {
    this.real = real;
    this.text = text;
    this.instead = instead;
  }

  @Override
  public CommandResult run(Command command) {
    CommandResult result = real.run(command);
    return new CommandResult(
        command,
        result.exitStatus(),
        result.standardOutput().replaceAll(text, instead),
        result.standardError(),
        result.elapsed());
  }

  @Override
  public RunningCommand start(Command command) {
    return real.start(command);
  }

  @Override
  public Conversation converse(Command command) {
    return real.converse(command);
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    real.fetch(remoteFile, localFile);
  }

  @Override
  public String address() {
    return real.address();
  }

  @Override
  public void close() {
    real.close();
  }
}
