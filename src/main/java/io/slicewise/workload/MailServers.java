package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.mail.AuthenticationFailedException;
import javax.mail.FolderNotFoundException;
import javax.mail.MessagingException;
import javax.mail.Session;
import javax.mail.Store;
import javax.mail.Transport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The two servers of a mail load and their connections.
 *
 * @param truststore a Java key store whose certificates are trusted instead of Java's
 */
record MailServers(
    Endpoint smtp, Endpoint imap, Security security, Optional<Path> truststore, Patience patience) {
  /** Servers with the usual time limits. */
  MailServers(Endpoint smtp, Endpoint imap, Security security, Optional<Path> truststore) {
    this(smtp, imap, security, truststore, Patience.USUAL);
  }

  /**
   * The time limits for a server.
   *
   * @param connect for accepting a connection
   * @param answer for each answer
   * @param write for accepting one write
   */
  record Patience(Duration connect, Duration answer, Duration write) {
    static final Patience USUAL =
        new Patience(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(60));

    /** The property value of the mail library for a protocol. */
    Map<String, String> properties(String protocol) {
      String prefix = "mail." + protocol + ".";
      return Map.of(
          prefix + "connectiontimeout",
          Long.toString(connect.toMillis()),
          prefix + "timeout",
          Long.toString(answer.toMillis()),
          prefix + "writetimeout",
          Long.toString(write.toMillis()));
    }
  }

  /** How a connection is encrypted. */
  enum Security {
    NONE,
    STARTTLS,
    TLS
  }

  record Endpoint(String host, int port) {
    private static final int LAST_PORT = 65_535;

    /**
     * @throws IllegalArgumentException with the violated rule as its message
     */
    static Endpoint parse(String text, int usualPort) {
      int colon = text.lastIndexOf(':');
      boolean oneColon = colon >= 0 && text.indexOf(':') == colon;
      boolean hasPort = oneColon || text.contains("]:");
      String host = hasPort ? text.substring(0, colon) : text;
      String digits = hasPort ? text.substring(colon + 1) : Integer.toString(usualPort);
      if (host.isBlank() || host.contains("/") || host.contains("@")) {
        throw new IllegalArgumentException("is not a host, or a host and a port: HOST:PORT");
      }
      if (!digits.matches("\\d{1,5}")
          || Integer.parseInt(digits) < 1
          || Integer.parseInt(digits) > LAST_PORT) {
        throw new IllegalArgumentException("has a port that is not in 1.." + LAST_PORT);
      }
      return new Endpoint(host, Integer.parseInt(digits));
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** Work on an open store. */
  interface Work {
    void in(Store store) throws MessagingException;
  }

  /** Signs in to the mailbox, does the work, and signs out; errors are one sentence. */
  void inMailbox(MailAccounts.Account account, String doing, Work work) {
    try (Store store = session().getStore(protocol("imap"))) {
      store.connect(imap.host, imap.port, account.user(), account.password().reveal());
      work.in(store);
    } catch (MessagingException fault) {
      throw MailFault.of("IMAP server " + imap, account, doing, fault);
    }
  }

  /** Signs in to send, and signs out. */
  void checkSending(MailAccounts.Account account) {
    try (Transport transport = session().getTransport(protocol("smtp"))) {
      transport.connect(smtp.host, smtp.port, account.user(), account.password().reveal());
    } catch (MessagingException fault) {
      throw MailFault.of("SMTP server " + smtp, account, "signing in", fault);
    }
  }

  /** The properties for the plan. */
  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("smtp-host", smtp.host);
    properties.put("smtp-port", Integer.toString(smtp.port));
    properties.put("imap-host", imap.host);
    properties.put("imap-port", Integer.toString(imap.port));
    properties.put("imap-protocol", protocol("imap"));
    properties.put("use-tls", Boolean.toString(security == Security.TLS));
    properties.put("use-starttls", Boolean.toString(security == Security.STARTTLS));
    properties.put("use-truststore", Boolean.toString(truststore.isPresent()));
    truststore.ifPresent(file -> properties.put("truststore", file.toString()));
    properties.putAll(patience.properties(protocol("imap")));
    return properties;
  }

  private String protocol(String plain) {
    return security == Security.TLS ? plain + "s" : plain;
  }

  private Session session() {
    Properties properties = new Properties();
    Optional<SSLSocketFactory> trusted = truststore.map(MailServers::trusting);
    for (String protocol : new String[] {protocol("imap"), protocol("smtp")}) {
      String prefix = "mail." + protocol + ".";
      properties.putAll(patience.properties(protocol));
      properties.put(prefix + "auth", "true");
      properties.put(prefix + "starttls.enable", Boolean.toString(security == Security.STARTTLS));
      properties.put(prefix + "starttls.required", Boolean.toString(security == Security.STARTTLS));
      trusted.ifPresent(factory -> properties.put(prefix + "ssl.socketFactory", factory));
    }
    return Session.getInstance(properties);
  }

  /**
   * @throws SlicewiseException if the file contains no certificates that are readable without a
   *     password
   */
  private static SSLSocketFactory trusting(Path file) {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(KeyStore.getInstance(file.toFile(), (char[]) null));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException fault) {
      throw MailFault.untrusted(file, fault);
    }
  }

  /** Turns errors of a mail server and the mail library into one sentence. */
  private static final class MailFault {
    private MailFault() {}

    static SlicewiseException of(
        String server, MailAccounts.Account account, String doing, MessagingException fault) {
      if (fault instanceof AuthenticationFailedException) {
        return blocked(
            server + " refuses user '" + account.user() + "' or the password",
            "check line " + account.line() + " of the accounts",
            fault);
      }
      if (fault instanceof FolderNotFoundException) {
        return blocked(
            server + " has no inbox for user '" + account.user() + "'",
            "create the mailbox, or remove line " + account.line() + " from the accounts",
            fault);
      }
      if (String.valueOf(fault.getMessage()).contains("STARTTLS")) {
        return blocked(
            server + " offers no STARTTLS",
            "enable it on the server, or use security: tls or security: none",
            fault);
      }
      if (isOurOwnClosing(fault)) {
        return blocked(
            "%s stopped reading while %s for user '%s': it did not accept the data in time"
                .formatted(server, doing, account.user()),
            "check that it is not hung or out of disk space",
            fault);
      }
      return cause(fault, SSLException.class)
          .map(tls -> tls(server, tls, fault))
          .or(() -> unreachable(server, fault))
          .orElseGet(
              () ->
                  blocked(
                      "%s failed while %s for user '%s': %s"
                          .formatted(server, doing, account.user(), firstLine(fault)),
                      "",
                      fault));
    }

    private static SlicewiseException tls(
        String server, SSLException tls, MessagingException fault) {
      return cause(fault, CertificateException.class).isPresent()
          ? blocked(
              server + " presents a certificate that is not trusted: " + firstLine(tls),
              "specify a key store that contains it: truststore: FILE",
              fault)
          : blocked(
              server + " does not use TLS as configured: " + firstLine(tls),
              "check that port and security match: TLS ports are 465 and 993",
              fault);
    }

    /**
     * Whether the library closed its socket because a write took too long; nothing else closes it.
     */
    private static boolean isOurOwnClosing(MessagingException fault) {
      for (Throwable at = fault; at != null; at = at.getCause()) {
        if (String.valueOf(at.getMessage()).contains("SocketException: Socket closed")
            || (at instanceof SocketException && "Socket closed".equals(at.getMessage()))) {
          return true;
        }
      }
      return false;
    }

    private static Optional<SlicewiseException> unreachable(
        String server, MessagingException fault) {
      if (cause(fault, UnknownHostException.class).isPresent()) {
        return Optional.of(
            blocked(server + " is an unknown host name", "check the spelling, or DNS", fault));
      }
      boolean silent =
          cause(fault, java.net.ConnectException.class).isPresent()
              || cause(fault, SocketTimeoutException.class).isPresent();
      return silent
          ? Optional.of(
              blocked(
                  server + " does not answer: " + FileFault.reason(fault),
                  "check that it runs and that its port is reachable from here",
                  fault))
          : Optional.empty();
    }

    static SlicewiseException untrusted(Path file, Exception fault) {
      return SlicewiseException.input(
          "truststore " + file + " cannot be used: " + firstLine(fault),
          "create it with keytool -importcert -keystore FILE -storetype JKS",
          fault);
    }

    private static SlicewiseException blocked(String message, String hint, Throwable fault) {
      return new SlicewiseException(ErrorKind.NOT_READY, message, hint, fault);
    }

    private static <T extends Throwable> Optional<T> cause(Throwable fault, Class<T> type) {
      for (Throwable at = fault; at != null; at = at.getCause()) {
        if (type.isInstance(at)) {
          return Optional.of(type.cast(at));
        }
      }
      return Optional.empty();
    }

    private static String firstLine(Throwable fault) {
      return String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given");
    }
  }

  /**
   * The mailboxes of the load, from a user's file with {@code user,password,address} on each line.
   * JMeter reads the same file, so that no password appears in results, argument lists or logs.
   */
  record MailAccounts(Path file, List<Account> all) {
    private static final int MOST_COMPLAINTS = 5;

    /** One mailbox and its line. */
    record Account(int line, String user, Secret password, String address) {}

    MailAccounts {
      all = List.copyOf(all);
    }

    /**
     * Reads the file.
     *
     * @throws SlicewiseException with the numbers of all invalid lines, but never their contents
     */
    static MailAccounts read(Path file) {
      List<String> lines;
      try {
        lines = InputFile.text(file, InputFile.LISTS).lines().toList();
      } catch (IOException fault) {
        throw SlicewiseException.input(
            "the accounts in " + file + " cannot be read: " + FileFault.reason(fault),
            "create the file, readable only by you: user,password,address on each line",
            fault);
      }
      List<Account> accounts = new ArrayList<>();
      List<String> faults = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        String[] fields = lines.get(i).split(",", -1);
        String complaint = complaint(fields);
        if (complaint.isEmpty()) {
          accounts.add(new Account(i + 1, fields[0], Secret.of(fields[1]), fields[2]));
        } else {
          faults.add(file + ":" + (i + 1) + ": " + complaint);
        }
      }
      if (lines.isEmpty()) {
        faults.add(file + " is empty");
      }
      if (!faults.isEmpty()) {
        throw SlicewiseException.input(
            String.join("\n", faults.subList(0, Math.min(MOST_COMPLAINTS, faults.size()))),
            "write user,password,address on each line, without header, comments or quotes");
      }
      return new MailAccounts(file, accounts);
    }

    private static String complaint(String[] fields) {
      if (fields.length != 3) {
        return "three fields expected, found %s (a password cannot contain a comma)"
            .formatted(fields.length);
      }
      if (fields[0].isBlank() || fields[1].isEmpty()) {
        return "a user or a password is missing";
      }
      return fields[2].matches("\\S+@\\S+") ? "" : "the third field is not a mail address";
    }
  }
}
