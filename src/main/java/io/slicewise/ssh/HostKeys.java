package io.slicewise.ssh;

import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.UserInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The known_hosts files, read and never written. Remembers the key it refused so that the refusal
 * can show its fingerprint.
 */
final class HostKeys implements HostKeyRepository {
  /** A host key that was shown and is not the one on file. */
  record Refused(String keyName, boolean changed, String fingerprint) {}

  private final HostKeyRepository known;
  private volatile Optional<Refused> refused = Optional.empty();

  private HostKeys(HostKeyRepository known) {
    this.known = known;
  }

  static HostKeys read(List<Path> files) throws JSchException {
    JSch reader = new JSch();
    reader.setKnownHosts(new ByteArrayInputStream(joined(files)));
    return new HostKeys(reader.getHostKeyRepository());
  }

  Optional<Refused> refused() {
    return refused;
  }

  @Override
  public int check(String host, byte[] key) {
    int verdict = known.check(host, key);
    refused =
        verdict == OK
            ? Optional.empty()
            : Optional.of(new Refused(host, verdict == CHANGED, fingerprint(key)));
    return verdict;
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
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
      return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] joined(List<Path> files) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      for (Path file : files) {
        if (Files.isReadable(file)) {
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
