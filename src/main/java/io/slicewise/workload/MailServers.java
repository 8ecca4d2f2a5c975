package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.MailAccounts.Account;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.mail.MessagingException;
import javax.mail.Session;
import javax.mail.Store;
import javax.mail.Transport;
import javax.net.ssl.SSLContext;
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
  void inMailbox(Account account, String doing, Work work) {
    try (Store store = session().getStore(protocol("imap"))) {
      store.connect(imap.host, imap.port, account.user(), account.password().reveal());
      work.in(store);
    } catch (MessagingException fault) {
      throw MailFault.of("IMAP server " + imap, account, doing, fault);
    }
  }

  /** Signs in to send, and signs out. */
  void checkSending(Account account) {
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
}
