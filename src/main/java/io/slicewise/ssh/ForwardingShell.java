package io.slicewise.ssh;

import java.io.OutputStream;
import java.nio.file.Path;

/** A shell that does what another one does, except for the methods it overrides. */
interface ForwardingShell extends RemoteShell {
  RemoteShell shell();

  @Override
  default CommandResult run(Command command) {
    return shell().run(command);
  }

  @Override
  default RunningCommand start(Command command) {
    return shell().start(command);
  }

  @Override
  default Conversation converse(Command command) {
    return shell().converse(command);
  }

  @Override
  default RunningCommand stream(Command command, OutputStream output) {
    return shell().stream(command, output);
  }

  @Override
  default void send(Path localFile, String remoteFile) {
    shell().send(localFile, remoteFile);
  }

  @Override
  default void fetch(String remoteFile, Path localFile) {
    shell().fetch(remoteFile, localFile);
  }

  @Override
  default String address() {
    return shell().address();
  }

  @Override
  default void close() {
    shell().close();
  }
}
