package io.slicewise.ssh;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.Dialer.Link;
import io.slicewise.ssh.RemoteShellException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** One SSH connection with a channel for each command; reconnects if it was lost. */
final class SshShell implements RemoteShell {
  private final Dialer dialer;
  private final Connection connection;
  private final String address;
  private Link link;
  private boolean closed;

  private SshShell(Dialer dialer, Connection connection, Link link) {
    this.dialer = dialer;
    this.connection = connection;
    this.address = dialer.destination(connection).text();
    this.link = link;
  }

  static SshShell connect(Dialer dialer, Connection connection) {
    return new SshShell(dialer, connection, dialer.dial(connection));
  }

  @Override
  public CommandResult run(Command command) {
    try {
      return attempt(command);
    } catch (RemoteShellException e) {
      if (e.kind() == Kind.CONNECTION_LOST && command.effect() == Command.Effect.READS) {
        return attempt(command);
      }
      throw e;
    }
  }

  private CommandResult attempt(Command command) {
    return SshCommand.start(link(), command, address, Optional.empty(), false).finish();
  }

  @Override
  public RunningCommand start(Command command) {
    return SshCommand.start(link(), command, address, Optional.empty(), true);
  }

  @Override
  public RunningCommand stream(Command command, OutputStream output) {
    return SshCommand.start(link(), command, address, Optional.of(output), true);
  }

  @Override
  public Conversation converse(Command command) {
    LineQueue lines = new LineQueue();
    SshCommand running = SshCommand.start(link(), command, address, Optional.of(lines), true);
    return new Conversation(command, address, running, lines);
  }

  @Override
  public void send(Path localFile, String remoteFile) {
    try {
      ChannelSftp sftp = (ChannelSftp) link().session().openChannel("sftp");
      try {
        sftp.connect();
        sftp.put(localFile.toString(), literal(remoteFile), ChannelSftp.OVERWRITE);
      } finally {
        sftp.disconnect();
      }
    } catch (JSchException | SftpException e) {
      throw new RemoteShellException(
          Kind.FILE_NOT_SENT,
          "%s was not copied to %s of %s: %s."
              .formatted(localFile, remoteFile, address, FileFault.reason(e)),
          "Check that its file system has room and that the login may write there.",
          e);
    }
  }

  @Override
  public void fetch(String remoteFile, Path localFile) {
    boolean created = false;
    try (OutputStream local = Files.newOutputStream(localFile, StandardOpenOption.CREATE_NEW)) {
      created = true;
      copy(remoteFile, local);
    } catch (IOException | JSchException | SftpException e) {
      if (created) {
        deleteHalf(localFile, e);
      }
      throw notFetched(remoteFile, localFile, e);
    }
  }

  private void copy(String remoteFile, OutputStream local) throws JSchException, SftpException {
    ChannelSftp sftp = (ChannelSftp) link().session().openChannel("sftp");
    try {
      sftp.connect();
      sftp.get(literal(remoteFile), local);
    } finally {
      sftp.disconnect();
    }
  }

  /** The library interprets * and ? in a name as a pattern. */
  private static String literal(String remoteFile) {
    return remoteFile.replaceAll("([\\\\*?])", "\\\\$1");
  }

  private RemoteShellException notFetched(String remoteFile, Path localFile, Exception e) {
    boolean exists = e instanceof FileAlreadyExistsException;
    return new RemoteShellException(
        Kind.FILE_NOT_FETCHED,
        "%s of %s was not copied to %s: %s."
            .formatted(
                remoteFile,
                address,
                localFile,
                exists ? "the local file exists" : FileFault.reason(e)),
        exists
            ? "Nothing is overwritten: move the file away."
            : "Check that the file exists on the host.",
        e);
  }

  private static void deleteHalf(Path localFile, Exception fault) {
    try {
      Files.deleteIfExists(localFile);
    } catch (IOException e) {
      fault.addSuppressed(e);
    }
  }

  private synchronized Link link() {
    if (closed) {
      throw new IllegalStateException("the shell on " + address + " is closed");
    }
    if (!link.alive()) {
      link.close();
      link = dialer.dial(connection);
    }
    return link;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public synchronized void close() {
    closed = true;
    link.close();
  }
}
