package io.slicewise.load.spread;

import io.slicewise.load.generator.GeneratorChannel;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShellException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A generator's process on its machine, through the channel of its command. */
final class RemoteChannel implements GeneratorChannel {
  private static final Duration TICK = Duration.ofSeconds(1);

  private final String generator;
  private final Conversation conversation;
  private final Runnable endThere;
  private volatile Optional<RemoteShellException> end = Optional.empty();
  private volatile boolean killed;

  /**
   * @param endThere ends the process with another command, because closing a channel only asks for
   *     it
   */
  RemoteChannel(String generator, Conversation conversation, Runnable endThere) {
    this.generator = generator;
    this.conversation = conversation;
    this.endThere = endThere;
  }

  @Override
  public void follow(Consumer<String> lines) {
    try {
      while (!killed) {
        conversation.next(TICK).map(Conversation.Line::text).ifPresent(lines);
      }
    } catch (RemoteShellException ended) {
      end = Optional.of(ended);
    }
  }

  @Override
  public void send(String line) throws IOException {
    try {
      conversation.say(line);
    } catch (RemoteShellException ended) {
      throw new IOException(ended.getMessage(), ended);
    }
  }

  @Override
  public boolean isAlive() {
    return end.isEmpty() && !killed;
  }

  @Override
  public void kill() {
    killed = true;
    conversation.close();
    endThere.run();
  }

  @Override
  public String describeEnd() {
    return "the JVM of generator %s ended unexpectedly".formatted(generator);
  }
}
