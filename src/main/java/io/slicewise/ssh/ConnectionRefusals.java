package io.slicewise.ssh;

import com.jcraft.jsch.JSchException;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.RemoteShellException.Kind;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Turns the library's connection errors into messages with a hint. */
final class ConnectionRefusals {
  private ConnectionRefusals() {}

  static RemoteShellException of(
      JSchException fault,
      Connection asked,
      Destination to,
      HostKeys hostKeys,
      Identities identities) {
    Optional<HostKeys.Refused> key = Optional.ofNullable(hostKeys).flatMap(HostKeys::refused);
    String message = String.valueOf(fault.getMessage());
    if (key.isPresent()) {
      return hostKey(fault, asked, to, key.get());
    }
    if (identities == null) {
      return new RemoteShellException(
          Kind.LOGIN_REFUSED,
          "A key or known_hosts file for %s cannot be read: %s."
              .formatted(to.text(), FileFault.reason(fault)),
          "Name a readable private key in OpenSSH or PEM format.",
          fault);
    }
    if (message.startsWith("Auth ") || message.contains("Too many authentication failures")) {
      return login(fault, to, identities);
    }
    if (message.startsWith("Algorithm negotiation fail")) {
      return new RemoteShellException(
          Kind.UNREACHABLE,
          to.text() + " and this machine share no SSH algorithm: " + message + ".",
          "For an old host, allow its algorithms in ~/.ssh/config, for example "
              + "'HostKeyAlgorithms +ssh-rsa', 'PubkeyAcceptedAlgorithms +ssh-rsa' and "
              + "'KexAlgorithms +diffie-hellman-group14-sha1' in its Host section.",
          fault);
    }
    if (timedOut(message)) {
      return new RemoteShellException(
          Kind.TIMED_OUT,
          "%s did not accept the login within %s."
              .formatted(to.text(), DurationText.of(asked.patience())),
          "Check the address, the port and the network; a slow host needs a longer sign-in-limit. '%s true' should work without a prompt."
              .formatted(asked.openSsh()),
          fault);
    }
    return new RemoteShellException(
        Kind.UNREACHABLE,
        to.text() + " cannot be reached: " + FileFault.reason(fault) + ".",
        "Check the address, the port and the network; '%s true' should work without a prompt."
            .formatted(asked.openSsh()),
        fault);
  }

  static RemoteShellException tooSlow(JSchException fault, Destination to, Duration limit) {
    return new RemoteShellException(
        Kind.TIMED_OUT,
        "%s is too slow: signing in took longer than %s."
            .formatted(to.text(), DurationText.of(limit)),
        ("Run 'ssh -v -p %d %s@%s true' to see where it hangs: before the server's version, at its"
                + " key or at the login.")
            .formatted(to.port(), to.user(), to.host()),
        fault);
  }

  static RemoteShellException jumpsForEver(Destination to) {
    return new RemoteShellException(
        Kind.UNREACHABLE,
        "The ProxyJump lines of the SSH configuration lead from " + to.text() + " in a circle.",
        "Fix ProxyJump in ~/.ssh/config.",
        null);
  }

  private static RemoteShellException revoked(
      JSchException fault, Destination to, String fingerprint) {
    return new RemoteShellException(
        Kind.HOST_KEY_REVOKED,
        ("%s shows a host key that known_hosts marks as revoked; its fingerprint is %s."
                + " Someone with a stolen key could impersonate this host.")
            .formatted(to.text(), fingerprint),
        "Do not connect. Give the host a new key (remove the old files, then ssh-keygen -A) and add"
            + " it to known_hosts; keep the @revoked line.",
        fault);
  }

  private static RemoteShellException hostKey(
      JSchException fault, Connection asked, Destination to, HostKeys.Refused key) {
    if (key.kind() == Kind.HOST_KEY_REVOKED) {
      return revoked(fault, to, key.fingerprint());
    }
    if (key.kind() == Kind.HOST_KEY_CHANGED) {
      return new RemoteShellException(
          Kind.HOST_KEY_CHANGED,
          ("%s presents a host key that differs from the one in known_hosts for %s; its"
                  + " fingerprint is %s. Either the host was reinstalled or someone is intercepting"
                  + " the connection.")
              .formatted(to.text(), key.keyName(), key.fingerprint()),
          ("Compare with 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub' on the host's"
                  + " console; if it is the same, remove the old key with \"ssh-keygen -R '%s'\""
                  + " and connect once with ssh.")
              .formatted(key.keyName()),
          fault);
    }
    return new RemoteShellException(
        Kind.HOST_KEY_UNKNOWN,
        "The host key of %s is not known; its fingerprint is %s."
            .formatted(to.text(), key.fingerprint()),
        ("Compare with 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub' on the host's"
                + " console; if it is the same, connect once with '%s' to add it to known_hosts.")
            .formatted(asked.openSsh()),
        fault);
  }

  private static RemoteShellException login(
      JSchException fault, Destination to, Identities identities) {
    int offered = identities.getIdentities().size();
    String tried =
        offered == 0 ? "there was no key to offer" : "none of " + offered + " keys was accepted";
    String locked =
        identities.locked().isEmpty()
            ? ""
            : "; %s is protected by a passphrase and its key is not in the agent"
                .formatted(identities.locked().get(0));
    return new RemoteShellException(
        Kind.LOGIN_REFUSED,
        to.text() + " refuses the login: " + tried + locked + ".",
        "Add the key to ssh-agent with ssh-add, or specify a key file, and check that its public"
            + " key is in the host's authorized_keys. Passwords are not supported.",
        fault);
  }

  private static boolean timedOut(String message) {
    String plain = plain(message).toLowerCase(Locale.ROOT);
    return plain.startsWith("timeout") || plain.endsWith("timed out");
  }

  private static String plain(String message) {
    return message.replaceFirst("^(Session\\.connect: )?(java\\.\\S+?Exception: )?", "");
  }
}
