package io.slicewise.host.xen;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A host that answers with what hosts of a version are known to print. Each command has its answers
 * in order, the last one for good; a command without an answer is one the host does not have.
 */
public final class ScriptedShell implements RemoteShell {
  private record Answer(int status, String output, String errors) {}

  private final Map<String, Deque<Answer>> answers = new HashMap<>();
  private final List<String> sent = new ArrayList<>();

  public ScriptedShell answering(String command, String output) {
    return answering(command, 0, output, "");
  }

  public ScriptedShell answering(String command, int status, String output, String errors) {
    answers
        .computeIfAbsent(command, c -> new ArrayDeque<>())
        .add(new Answer(status, output, errors));
    return this;
  }

  /** A recorded text of the test resources. */
  public static String recorded(String name) {
    try (var stream = ScriptedShell.class.getResourceAsStream("/xen/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All commands, in order. */
  List<String> sent() {
    return List.copyOf(sent);
  }

  /** Those commands that were declared to change the host. */
  public List<String> changes() {
    return sent.stream().filter(line -> line.startsWith("! ")).map(l -> l.substring(2)).toList();
  }

  @Override
  public CommandResult run(Command command) {
    String line = String.join(" ", command.words());
    sent.add((command.effect() == Command.Effect.CHANGES ? "! " : "") + line);
    Deque<Answer> left = answers.getOrDefault(line, new ArrayDeque<>());
    Answer answer =
        left.isEmpty()
            ? new Answer(127, "", "sh: 1: " + command.words().get(0) + ": not found")
            : left.size() > 1 ? left.poll() : left.peek();
    return new CommandResult(
        command, answer.status, answer.output, answer.errors, Duration.ofMillis(1));
  }

  @Override
  public Conversation converse(Command command) {
    throw new UnsupportedOperationException("nothing here answers");
  }

  @Override
  public RunningCommand start(Command command) {
    throw new UnsupportedOperationException("nothing here runs on");
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    throw new UnsupportedOperationException("there are no files");
  }

  @Override
  public String address() {
    return "root@dom0:22";
  }

  @Override
  public void close() {}
}
