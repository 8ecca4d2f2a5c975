package io.slicewise.lab.daemon;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.digest.BuiltinDigests;
import org.apache.sshd.common.util.security.SecurityUtils;

/**
 * The two key pairs of a lab's directory, created once and kept: the host's own and that of the one
 * client that may sign in.
 *
 * @param clientFile the client's private key in OpenSSH's format
 */
public record LabKeys(KeyPair host, KeyPair client, Path clientFile) {
  /** JSch and every OpenSSH support it, and the JDK generates it without further libraries. */
  private static final String TYPE = "ecdsa-sha2-nistp256";

  /** Reads the keys of a directory, creating those that are missing. */
  public static LabKeys in(Path directory) {
    try {
      KeyPair host = readOrMake(directory.resolve("host_key"), "slicewise-lab-host");
      Path clientFile = directory.resolve("id_lab");
      return new LabKeys(host, readOrMake(clientFile, "slicewise-lab-client"), clientFile);
    } catch (IOException | GeneralSecurityException fault) {
      throw new UncheckedIOException(
          "the lab's keys cannot be read or made in " + directory, new IOException(fault));
    }
  }

  private static KeyPair readOrMake(Path file, String comment)
      throws IOException, GeneralSecurityException {
    if (Files.exists(file)) {
      try (var stream = Files.newInputStream(file)) {
        return SecurityUtils.loadKeyPairIdentities(null, null, stream, null).iterator().next();
      }
    }
    KeyPair pair = KeyUtils.generateKeyPair(TYPE, 256);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    OpenSSHKeyPairResourceWriter writer = new OpenSSHKeyPairResourceWriter();
    try (OutputStream stream = Files.newOutputStream(file)) {
      writer.writePrivateKey(pair, comment, null, stream);
    }
    Path publicFile = file.resolveSibling(file.getFileName() + ".pub");
    Files.writeString(publicFile, PublicKeyEntry.toString(pair.getPublic()) + "\n");
    return pair;
  }

  /** Returns the host's {@code known_hosts} line for that port. */
  String knownHostsLine(int port) {
    return "[127.0.0.1]:" + port + " " + PublicKeyEntry.toString(host.getPublic());
  }

  /** Returns the fingerprint as ssh-keygen shows it: {@code SHA256:…}. */
  String fingerprint() {
    return KeyUtils.getFingerPrint(BuiltinDigests.sha256, host.getPublic());
  }

  boolean isClient(PublicKey key) {
    return KeyUtils.compareKeys(client.getPublic(), key);
  }
}
