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
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

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

  /**
   * The {@code @revoked} lines of known_hosts, as sshd(8) describes them: a revoked key is refused
   * even if another line accepts it. The library does not recognize lines whose host is a pattern
   * or a hash.
   */
  private record RevokedKeys(List<Line> lines) {
    private static final String MARKER = "@revoked";
    private static final String HASHED = "|1|";

    /** One line: the hosts it applies to, and the key in base 64. */
    private record Line(String hosts, String key) {}

    static RevokedKeys in(String knownHosts) {
      List<Line> lines = new ArrayList<>();
      for (String text : knownHosts.lines().toList()) {
        String[] fields = text.strip().split("\\s+", -1);
        if (fields.length >= 4 && fields[0].equals(MARKER)) {
          lines.add(new Line(fields[1], fields[3]));
        }
      }
      return new RevokedKeys(List.copyOf(lines));
    }

    /** Whether a line revokes {@code key} for {@code host}. */
    boolean revoke(String host, byte[] key) {
      String shown = Base64.getEncoder().encodeToString(key);
      return lines.stream().anyMatch(line -> line.key().equals(shown) && about(line, host));
    }

    private static boolean about(Line line, String host) {
      return line.hosts().startsWith(HASHED)
          ? isHashOf(line.hosts(), host)
          : SshConfig.matches(List.of(line.hosts().split(",", -1)), host);
    }

    private static boolean isHashOf(String hash, String host) {
      String[] parts = hash.substring(HASHED.length()).split("\\|", -1);
      try {
        Mac mac = Mac.getInstance("HmacSHA1");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(parts[0]), "HmacSHA1"));
        byte[] computed = mac.doFinal(host.getBytes(StandardCharsets.UTF_8));
        return parts.length == 2
            && MessageDigest.isEqual(computed, Base64.getDecoder().decode(parts[1]));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java has HmacSHA1", e);
      } catch (IllegalArgumentException notBase64) {
        return false;
      }
    }
  }
}
