package io.slicewise.host.monitor;

import io.slicewise.ListeningPrograms;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * This machine as the host, with programs of a directory of its own before those of the PATH: real
 * processes and files, and faults on demand.
 */
public final class StandInHost implements RemoteShell {
  private final RemoteShell local = Shells.local();
  private final Path programs;
  private final Map<String, CommandResult> answers = new ConcurrentHashMap<>();
  private final List<CommandResult> results = new CopyOnWriteArrayList<>();
  private volatile RuntimeException fetchFault;

  public StandInHost(Path programs) {
    this.programs = programs;
    // Whatever really reads trace buffers on this machine is no part of a test.
    answers.put("pgrep", new CommandResult(Command.reading("pgrep"), 1, "", "", Duration.ZERO));
  }

  public StandInHost with(String name, String script) throws IOException {
    Path file = programs.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return this;
  }

  public StandInHost answering(String program, int exit, String output) {
    answers.put(
        program, new CommandResult(Command.reading(program), exit, output, "", Duration.ZERO));
    return this;
  }

  public StandInHost failingToFetch(RuntimeException fault) {
    fetchFault = fault;
    return this;
  }

  /** The directories that were made for logs. */
  public List<Path> directoriesMade() {
    return results.stream()
        .filter(result -> result.command().words().contains("mktemp"))
        .map(result -> Path.of(result.standardOutput().strip()))
        .toList();
  }

  public List<List<String>> commands() {
    return results.stream().map(result -> result.command().words()).toList();
  }

  /** What all commands printed. */
  public String output() {
    return results.stream().map(CommandResult::standardOutput).collect(Collectors.joining());
  }

  @Override
  public CommandResult run(Command command) {
    CommandResult result = answers.get(command.words().get(0));
    if (result == null) {
      result = local.run(inPath(command));
    }
    results.add(result);
    return result;
  }

  @Override
  public Conversation converse(Command command) {
    return local.converse(inPath(command));
  }

  @Override
  public RunningCommand start(Command command) {
    return local.start(inPath(command));
  }

  private Command inPath(Command command) {
    List<String> words = new ArrayList<>(command.words());
    words.add(0, "PATH=" + programs + ":" + System.getenv("PATH"));
    return new Command(ListeningPrograms.words(words), command.timeout(), command.effect());
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    if (fetchFault != null) {
      throw fetchFault;
    }
    local.fetch(remoteFile, localFile);
  }

  @Override
  public String address() {
    return "stand-in";
  }

  @Override
  public void close() {
    local.close();
  }
}
