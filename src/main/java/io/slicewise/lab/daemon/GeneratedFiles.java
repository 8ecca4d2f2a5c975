package io.slicewise.lab.daemon;

import io.slicewise.lab.shell.HostFiles;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Optional;
import java.util.Set;
import org.apache.sshd.sftp.server.FileHandle;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemProxy;

/** Lets SFTP read files such as {@code /proc/stat}, whose contents are generated when opened. */
record GeneratedFiles(HostFiles files) implements SftpFileSystemAccessor {
  @Override
  public SeekableByteChannel openFile(
      SftpSubsystemProxy subsystem,
      FileHandle fileHandle,
      Path file,
      String handle,
      Set<? extends OpenOption> options,
      FileAttribute<?>... attributes)
      throws IOException {
    Optional<String> text = files.generatedText(file.toString());
    if (text.isPresent()) {
      Files.writeString(files.locate(file.toString()), text.get());
    }
    return SftpFileSystemAccessor.super.openFile(
        subsystem, fileHandle, file, handle, options, attributes);
  }
}
