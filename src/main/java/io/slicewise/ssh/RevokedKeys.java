package io.slicewise.ssh;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The {@code @revoked} lines of known_hosts, as sshd(8) describes them: a revoked key is refused
 * even if another line accepts it. The library does not recognize lines whose host is a pattern or
 * a hash.
 */
record RevokedKeys(List<Line> lines) {
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
