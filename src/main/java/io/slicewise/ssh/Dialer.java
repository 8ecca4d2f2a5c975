package io.slicewise.ssh;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SocketFactory;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.SshConfig.SshHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Connects and logs in: the SSH configuration, host keys, keys and jump hosts.
 *
 * <p>A jump host is asked for a tunnel on a port of this machine's loopback, because the library
 * notices an unresponsive machine only with a real socket.
 */
record Dialer(SshHome home) {
  private static final int DEEPEST_JUMP = 8;
  private static final int KEEP_ALIVE_MILLIS = 10_000;
  private static final int KEEP_ALIVES_UNANSWERED = 3;
  private static final String LOOPBACK = "127.0.0.1";

  Destination destination(Connection connection) {
    return Destination.of(connection, SshConfig.read(home), home);
  }

  Link dial(Connection connection) {
    List<Session> opened = new ArrayList<>();
    try {
      Session session = dial(connection, SshConfig.read(home), opened, 0);
      return new Link(session, opened.subList(0, opened.size() - 1).stream().toList());
    } catch (RemoteShellException e) {
      opened.forEach(Session::disconnect);
      throw e;
    }
  }

  private Session dial(Connection asked, SshConfig config, List<Session> opened, int depth) {
    Destination to = Destination.of(asked, config, home);
    if (depth > DEEPEST_JUMP) {
      throw ConnectionRefusals.jumpsForEver(to);
    }
    List<Connection> jumps = to.jumps();
    for (int i = 0; i < jumps.size(); i++) {
      if (i == 0) {
        dial(jumps.get(0), config, opened, depth + 1);
      } else {
        connect(Destination.of(jumps.get(i), config, home), jumps.get(i), opened, true);
      }
    }
    return connect(to, asked, opened, !jumps.isEmpty());
  }

  /** Opens a session, through the last opened one if {@code tunnelled}. */
  private Session connect(
      Destination to, Connection asked, List<Session> opened, boolean tunnelled) {
    HostKeys hostKeys = null;
    Identities identities = null;
    BoundedSocket socket = new BoundedSocket(asked.patience());
    try (socket) {
      hostKeys = HostKeys.read(to.knownHosts());
      identities = Identities.of(to.identities(), home.agentSocket());
      Session session =
          tunnelled
              ? prepared(to, LOOPBACK, tunnel(opened.get(opened.size() - 1), to))
              : prepared(to, to.host(), to.port());
      opened.add(session);
      session.setHostKeyRepository(hostKeys);
      session.setIdentityRepository(identities);
      session.setSocketFactory(socket);
      session.connect(Math.toIntExact(asked.patience().toMillis()));
      socket.signedIn();
      return session;
    } catch (JSchException e) {
      if (socket.expired()) {
        throw ConnectionRefusals.tooSlow(e, to, asked.patience());
      }
      throw ConnectionRefusals.of(e, asked, to, hostKeys, identities);
    }
  }

  private static Session prepared(Destination to, String host, int port) throws JSchException {
    Session session = new JSch().getSession(to.user(), host, port);
    session.setHostKeyAlias(to.keyName());
    session.setConfig("StrictHostKeyChecking", "yes");
    session.setConfig("PreferredAuthentications", "publickey");
    for (Map.Entry<String, String> list : to.algorithms().entrySet()) {
      session.setConfig(
          list.getKey(),
          AlgorithmLists.resolved(list.getValue(), session.getConfig(list.getKey())));
    }
    session.setDaemonThread(true);
    session.setServerAliveInterval(KEEP_ALIVE_MILLIS);
    session.setServerAliveCountMax(KEEP_ALIVES_UNANSWERED);
    return session;
  }

  private static int tunnel(Session through, Destination to) throws JSchException {
    return through.setPortForwardingL(LOOPBACK, 0, to.host(), to.port());
  }

  /** Algorithm lists as ssh_config(5) writes them: a list, or {@code +}, {@code -}, {@code ^}. */
  private static final class AlgorithmLists {
    private AlgorithmLists() {}

    /** Applies a configured value to the default list. */
    static String resolved(String configured, String defaults) {
      char sign = configured.charAt(0);
      List<String> named = names("+-^".indexOf(sign) >= 0 ? configured.substring(1) : configured);
      Set<String> list = new LinkedHashSet<>();
      switch (sign) {
        case '+' -> {
          list.addAll(names(defaults));
          list.addAll(named);
        }
        case '-' -> {
          list.addAll(names(defaults));
          named.forEach(list::remove);
        }
        case '^' -> {
          list.addAll(named);
          list.addAll(names(defaults));
        }
        default -> list.addAll(named);
      }
      return String.join(",", list);
    }

    private static List<String> names(String list) {
      return list == null ? List.of() : new ArrayList<>(Arrays.asList(list.split("\\s*,\\s*")));
    }
  }

  /**
   * The socket of one sign-in, closed when the whole sign-in takes too long. The library's own
   * limit restarts with every byte, so a server that keeps sending lines before its version would
   * block it forever.
   */
  static final class BoundedSocket implements SocketFactory, AutoCloseable {
    private final Duration limit;
    private final CompletableFuture<Void> expiry;
    private Socket socket;
    private boolean signedIn;
    private boolean expired;

    BoundedSocket(Duration limit) {
      this.limit = limit;
      this.expiry =
          CompletableFuture.runAsync(
              this::expire,
              CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      Socket opened = new Socket();
      keep(opened);
      opened.connect(new InetSocketAddress(host, port), Math.toIntExact(limit.toMillis()));
      return opened;
    }

    private synchronized void keep(Socket opened) {
      socket = opened;
    }

    @Override
    public InputStream getInputStream(Socket from) throws IOException {
      return from.getInputStream();
    }

    @Override
    public OutputStream getOutputStream(Socket to) throws IOException {
      return to.getOutputStream();
    }

    /** Removes the limit: the sign-in succeeded. */
    synchronized void signedIn() {
      signedIn = true;
    }

    synchronized boolean expired() {
      return expired;
    }

    private synchronized void expire() {
      if (!signedIn) {
        expired = true;
        abandon();
      }
    }

    /** Closes without waiting for unsent data, so it also ends if the peer reads nothing. */
    private void abandon() {
      try {
        if (socket != null) {
          socket.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      expiry.cancel(false);
    }
  }

  /** Turns the library's connection errors into messages with a hint. */
  private static final class ConnectionRefusals {
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

  /**
   * A live connection.
   *
   * @param session the session with the machine itself
   * @param hops the sessions it runs through, nearest first
   */
  record Link(Session session, List<Session> hops) implements AutoCloseable {
    boolean alive() {
      return session.isConnected();
    }

    @Override
    public void close() {
      session.disconnect();
      for (int i = hops.size() - 1; i >= 0; i--) {
        hops.get(i).disconnect();
      }
    }
  }
}
