package io.slicewise.ssh;

import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.UserInfo;
import io.slicewise.base.units.Sha256;
import io.slicewise.ssh.RemoteShellException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The known_hosts files, read-only. Remembers a refused key so that the message can show its
 * fingerprint.
 */
final class HostKeys implements HostKeyRepository {
  /** A host key that is unknown, changed or revoked. */
  record Refused(String keyName, Kind kind, String fingerprint) {}

  private final HostKeyRepository known;
  private final RevokedKeys revoked;
  private volatile Optional<Refused> refused = Optional.empty();

  private HostKeys(HostKeyRepository known, RevokedKeys revoked) {
    this.known = known;
    this.revoked = revoked;
  }

  static HostKeys read(List<Path> files) throws JSchException {
    JSch reader = new JSch();
    byte[] text = joined(files);
    reader.setKnownHosts(new ByteArrayInputStream(text));
    return new HostKeys(
        reader.getHostKeyRepository(), RevokedKeys.in(new String(text, StandardCharsets.UTF_8)));
  }

  Optional<Refused> refused() {
    return refused;
  }

  @Override
  public int check(String host, byte[] key) {
    int verdict = revoked.revoke(host, key) ? NOT_INCLUDED : known.check(host, key);
    refused =
        verdict == OK
            ? Optional.empty()
            : Optional.of(new Refused(host, kind(host, key, verdict), fingerprint(key)));
    return verdict;
  }

  private Kind kind(String host, byte[] key, int verdict) {
    return revoked.revoke(host, key)
        ? Kind.HOST_KEY_REVOKED
        : verdict == CHANGED ? Kind.HOST_KEY_CHANGED : Kind.HOST_KEY_UNKNOWN;
  }

  @Override
  public HostKey[] getHostKey() {
    return known.getHostKey();
  }

  @Override
  public HostKey[] getHostKey(String host, String type) {
    return known.getHostKey(host, type);
  }

  @Override
  public String getKnownHostsRepositoryID() {
    return known.getKnownHostsRepositoryID();
  }

  @Override
  public void add(HostKey key, UserInfo asker) {
    throw new UnsupportedOperationException("known_hosts is never written");
  }

  @Override
  public void remove(String host, String type) {
    throw new UnsupportedOperationException("known_hosts is never written");
  }

  @Override
  public void remove(String host, String type, byte[] key) {
    throw new UnsupportedOperationException("known_hosts is never written");
  }

  /** As {@code ssh-keygen -l} prints it. */
  static String fingerprint(byte[] key) {
    return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(Sha256.of(key));
  }

  private static byte[] joined(List<Path> files) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      for (Path file : files) {
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
          text.write(Files.readAllBytes(file));
          text.write('\n');
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }
}
