package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.icegreen.greenmail.util.GreenMail;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.guest.QuietMail;
import io.slicewise.workload.MailLoad.Mailbox;
import io.slicewise.workload.MailServers.Endpoint;
import io.slicewise.workload.MailServers.MailAccounts;
import io.slicewise.workload.MailServers.MailAccounts.Account;
import io.slicewise.workload.MailServers.Patience;
import io.slicewise.workload.MailServers.Security;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects that whatever keeps a mail server from being used is told in one sentence which names
 * server, reason and way out, and never a password.
 */
class MailServersTest {
  private static final Account ACCOUNT =
      new Account(1, "anna", Secret.of("hidden"), "anna@mail.example");

  private static GreenMail server;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    server =
        QuietMail.start(
            made -> made.setUser("anna@mail.example", "anna", "hidden"),
            "smtp",
            "smtps",
            "imap",
            "imaps");
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static MailServers at(int smtp, int imap, Security security, Optional<Path> trust) {
    return new MailServers(
        new Endpoint("127.0.0.1", smtp), new Endpoint("127.0.0.1", imap), security, trust);
  }

  private static void assertBothSay(MailServers servers, String... words) {
    Stream.<Runnable>of(
            () -> servers.checkSending(ACCOUNT),
            () -> servers.inMailbox(ACCOUNT, "looking", store -> {}))
        .forEach(
            work ->
                assertThatThrownBy(work::run)
                    .isInstanceOfSatisfying(
                        SlicewiseException.class,
                        fault -> {
                          assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY);
                          assertThat(fault.getMessage())
                              .contains(words)
                              .hasLineCount(1)
                              .doesNotContain("hidden");
                          assertThat(fault.hint()).isNotEmpty().doesNotContain("hidden");
                        }));
  }

  @Test
  void servesThoseWhoAreRight() {
    MailServers plain =
        at(server.getSmtp().getPort(), server.getImap().getPort(), Security.NONE, Optional.empty());
    plain.checkSending(ACCOUNT);
    plain.inMailbox(ACCOUNT, "looking", store -> new Mailbox(store, "anna").check());
  }

  @Test
  void saysThatNobodyAnswers() throws IOException {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    assertBothSay(at(port, port, Security.NONE, Optional.empty()), "does not answer", ":" + port);
  }

  @Test
  void doesNotWaitForEverForAServerThatStopsReading() throws Exception {
    try (DeafImapServer deaf = DeafImapServer.start()) {
      Patience patience =
          new Patience(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMillis(200));
      Endpoint imap = new Endpoint("127.0.0.1", deaf.port());
      MailServers servers = new MailServers(imap, imap, Security.NONE, Optional.empty(), patience);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () ->
              assertThatThrownBy(
                      () ->
                          servers.inMailbox(
                              ACCOUNT,
                              "filling the mailbox",
                              store ->
                                  new Mailbox(store, "anna").fill(1, 10_240, "anna@mail.example")))
                  .isInstanceOfSatisfying(
                      SlicewiseException.class,
                      fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY))
                  .hasMessageStartingWith("IMAP server 127.0.0.1:" + deaf.port())
                  .hasMessageContaining("stopped reading")
                  .hasMessageContaining("filling the mailbox for user 'anna'"));
    }
  }

  @Test
  void thePlanHasTheSameTimeLimits() {
    assertThat(at(1, 1, Security.TLS, Optional.empty()).properties())
        .containsEntry("mail.imaps.connectiontimeout", "10000")
        .containsEntry("mail.imaps.timeout", "60000")
        .containsEntry("mail.imaps.writetimeout", "60000");
  }

  @Test
  void saysThatThereIsNoStartTls() {
    assertBothSay(
        at(
            server.getSmtp().getPort(),
            server.getImap().getPort(),
            Security.STARTTLS,
            Optional.empty()),
        "offers no STARTTLS");
  }

  @Test
  void saysThatAPlainPortSpeaksNoTls() {
    assertBothSay(
        at(server.getSmtp().getPort(), server.getImap().getPort(), Security.TLS, Optional.empty()),
        "does not use TLS as configured");
  }

  @Test
  void saysThatACertificateIsNotTrusted() {
    assertBothSay(
        at(
            server.getSmtps().getPort(),
            server.getImaps().getPort(),
            Security.TLS,
            Optional.empty()),
        "a certificate that is not trusted");
  }

  @Test
  void thePlanSpeaksTlsWithACertificateOfOnesOwn() throws Exception {
    Path trust = directory.resolve("trust.jks");
    KeyStore own = KeyStore.getInstance("JKS");
    own.load(null, null);
    own.setCertificateEntry("mail", certificate());
    try (OutputStream out = Files.newOutputStream(trust)) {
      own.store(out, "changeit".toCharArray());
    }
    Path accounts = directory.resolve("accounts.csv");
    Files.writeString(accounts, "anna,hidden,anna@mail.example\n");
    Workload workload =
        Workloads.of(
            "mail",
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Map.of(
                "smtp",
                "127.0.0.1:" + server.getSmtps().getPort(),
                "imap",
                "127.0.0.1:" + server.getImaps().getPort(),
                "security",
                "tls",
                "truststore",
                trust.toString(),
                "accounts",
                accounts.toString(),
                "messages",
                2,
                "message-size",
                1));
    assertThat(workload.complaint()).isEmpty();
    workload.setUp();
    LabLoad load = LabLoad.run(workload, 1, 8, directory);
    workload.tearDown();
    assertThat(load.reduction().byLabel()).containsKeys("Sign in", "Read", "Send", "Calendar");
    assertThat(load.reduction().total().failed()).isZero();
  }

  /** The one that the server shows. */
  private static Certificate certificate() throws GeneralSecurityException, IOException {
    KeyStore servers = KeyStore.getInstance("PKCS12");
    try (InputStream in = GreenMail.class.getResourceAsStream("/greenmail.p12")) {
      servers.load(in, "changeit".toCharArray());
    }
    return servers.getCertificate(servers.aliases().nextElement());
  }

  @Test
  void saysThatATruststoreIsNone() throws IOException {
    Path text = Files.writeString(directory.resolve("trust.jks"), "certificates");
    MailServers servers = at(1, 1, Security.TLS, Optional.of(text));
    assertThatThrownBy(() -> servers.checkSending(ACCOUNT))
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.INPUT))
        .hasMessageContaining("trust.jks cannot be used");
  }

  @ParameterizedTest
  @CsvSource({
    "mail.example,mail.example,25",
    "mail.example:2525,mail.example,2525",
    "192.0.2.7:587,192.0.2.7,587",
    "[2001:db8::7]:587,[2001:db8::7],587",
    "2001:db8::7,2001:db8::7,25"
  })
  void readsHostAndPort(String text, String host, int port) {
    assertThat(Endpoint.parse(text, 25)).isEqualTo(new Endpoint(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"imap://mail.example", "anna@mail.example", "mail:0", "mail:x", ":25"})
  void refusesWhatIsNoHostAndPort(String text) {
    assertThatThrownBy(() -> Endpoint.parse(text, 25)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesEveryFaultyLineOfTheAccountsAndNoPassword() throws IOException {
    Path file = directory.resolve("accounts.csv");
    Files.writeString(
        file, "anna,hidden,anna@mail.example\nbert,hid,den,bert@mail.example\ncarl,hidden,carl\n");
    assertThatThrownBy(() -> MailAccounts.read(file))
        .hasMessage(
            file
                + ":2: three fields expected, found 4 (a password cannot contain a comma)\n"
                + file
                + ":3: the third field is not a mail address");
    assertThatThrownBy(() -> MailAccounts.read(directory.resolve("none.csv")))
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.INPUT))
        .hasMessageContaining("cannot be read");
  }
}
