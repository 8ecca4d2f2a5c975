package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.MailAccounts.Account;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.mail.AuthenticationFailedException;
import javax.mail.FolderNotFoundException;
import javax.mail.MessagingException;
import javax.net.ssl.SSLException;

/** Turns errors of a mail server and the mail library into one sentence. */
final class MailFault {
  private MailFault() {}

  static SlicewiseException of(
      String server, Account account, String doing, MessagingException fault) {
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

  private static SlicewiseException tls(String server, SSLException tls, MessagingException fault) {
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

  private static Optional<SlicewiseException> unreachable(String server, MessagingException fault) {
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
