package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.Lab;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.workload.Inbox.Mail;
import io.slicewise.workload.MailServers.MailAccounts;
import io.slicewise.workload.MailServers.MailAccounts.Account;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.mail.MessagingException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects that the mail load's tasks do at the servers what they say, that nothing but the load's
 * own messages is ever removed, and that no password gets into what a run leaves behind.
 */
@MeasuresInRealTime
class MailLoadTest {
  private static final int MAILBOXES = 8;
  private static final int MESSAGES = 2;

  private static Lab lab;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    lab = LabLoad.lab("mail");
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** The first few of the lab's mailboxes, so that setting up takes no longer than it must. */
  private static Map<String, Object> options(Path directory, int first) throws IOException {
    List<String> lines = Files.readAllLines(Path.of(lab.workloadOptions().get("accounts") + ""));
    Path few = directory.resolve("accounts-" + first + ".csv");
    Files.write(few, lines.subList(first, first + MAILBOXES));
    return Map.of("accounts", few.toString(), "messages", MESSAGES, "message-size", 2);
  }

  private static Workload mail(Map<String, Object> options) {
    return LabLoad.workload(lab, "mail", options);
  }

  private static List<Account> accounts(Map<String, Object> options) {
    return MailAccounts.read(Path.of(options.get("accounts").toString())).all();
  }

  private static List<Mail> received(Map<String, Object> options)
      throws MessagingException, IOException {
    List<Mail> all = new ArrayList<>();
    for (Account account : accounts(options)) {
      all.addAll(Inbox.of(lab.workloadOptions(), account).mails());
    }
    return all;
  }

  @Test
  void theServersReceiveWhatTheTasksSent() throws Exception {
    Map<String, Object> options = options(directory, 0);
    Workload workload = mail(options);
    for (int users : new int[] {2, 4}) {
      workload.setUp();
      LabLoad load = LabLoad.run(workload, users, 16 * users, directory);
      List<Mail> mails = received(options);
      Map<String, SampleSummary> byLabel = load.reduction().byLabel();
      assertThat(byLabel).containsOnlyKeys("Sign in", "Read", "Send", "Calendar");
      assertThat(load.reduction().total().failed()).isZero();
      assertAttachmentsIntact(mails, byLabel.get("Send").samples(), users);
      assertEntries(mails, byLabel.get("Calendar").samples(), users);
      assertThat(mails.stream().filter(mail -> mail.subject().startsWith("[slicewise] message ")))
          .hasSize(MAILBOXES * MESSAGES);
      assertNoPasswordIn(load.directory(), accounts(options));

      workload.tearDown();
      assertThat(received(options)).isEmpty();
    }
  }

  /** Each user may have sent one more, after the window. */
  private static void assertAttachmentsIntact(List<Mail> mails, long sent, int users)
      throws IOException {
    Path attachment =
        Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "mail-attachment.bin");
    String original = Files.readString(attachment, StandardCharsets.ISO_8859_1);
    List<Mail> messages =
        mails.stream().filter(mail -> mail.subject().equals("[slicewise] message")).toList();
    assertThat((long) messages.size()).isBetween(sent, sent + users);
    assertThat(messages)
        .allSatisfy(
            mail -> {
              assertThat(mail.parts()).hasSize(2);
              assertThat(mail.parts().get(1).equals(original)).as("attachment intact").isTrue();
            });
  }

  private static void assertEntries(List<Mail> mails, long made, int users) {
    List<Mail> entries =
        mails.stream().filter(mail -> mail.subject().equals("[slicewise] meeting")).toList();
    assertThat((long) entries.size()).isBetween(made, made + users);
    assertThat(entries)
        .allSatisfy(
            mail -> {
              assertThat(mail.type())
                  .startsWithIgnoringCase("text/calendar")
                  .contains("method=REQUEST");
              assertThat(mail.parts().get(0))
                  .startsWith("BEGIN:VCALENDAR\r\n")
                  .contains("\r\nDTSTART:20300107T090000Z\r\n")
                  .contains("\r\nORGANIZER:mailto:user");
            });
    assertThat(entries.stream().map(mail -> uid(mail.parts().get(0)))).doesNotHaveDuplicates();
  }

  private static String uid(String entry) {
    return entry.lines().filter(line -> line.startsWith("UID:")).findFirst().orElseThrow();
  }

  private static void assertNoPasswordIn(Path directory, List<Account> accounts)
      throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> texts = files.filter(Files::isRegularFile).map(MailLoadTest::text).toList();
      assertThat(texts).isNotEmpty();
      for (Account account : accounts) {
        assertThat(texts).noneMatch(text -> text.contains(account.password().reveal()));
      }
    }
  }

  private static String text(Path file) {
    try {
      return file.toString().endsWith(".gz")
          ? new String(
              new GZIPInputStream(Files.newInputStream(file)).readAllBytes(),
              StandardCharsets.ISO_8859_1)
          : Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  void removesNothingThatIsNotItsOwn() throws Exception {
    Map<String, Object> options = options(directory, MAILBOXES);
    Workload workload = mail(options);
    Account first = accounts(options).get(0);
    workload.setUp();
    workload.setUp();
    assertThat(received(options)).hasSize(MAILBOXES * MESSAGES);
    Inbox.putForeign(lab.workloadOptions(), first);

    workload.tearDown();
    workload.tearDown();
    assertThat(received(options)).extracting(Mail::subject).containsExactly("invoice");

    assertThatThrownBy(workload::setUp)
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("'" + first.user() + "' contains messages that Slicewise did not");
    workload.tearDown();
    assertThat(received(options)).extracting(Mail::subject).containsExactly("invoice");
  }

  @Test
  void aMessageThatIsCutShortIsAnError() throws Exception {
    Map<String, Object> options = options(directory, 2 * MAILBOXES);
    Workload workload = mail(options);
    for (Account account : accounts(options)) {
      Inbox.putForeign(lab.workloadOptions(), account);
      Inbox.putForeign(lab.workloadOptions(), account);
    }
    LabLoad load = LabLoad.run(workload, 2, 12, directory);
    Map<String, SampleSummary> byLabel = load.reduction().byLabel();
    assertThat(byLabel.get("Read").failed()).isEqualTo(byLabel.get("Read").samples()).isPositive();
    assertThat(byLabel.get("Send").failed()).isZero();
    workload.tearDown();
    assertThat(received(options)).hasSize(2 * MAILBOXES);
  }

  @Test
  void tellsWhichLineOfTheAccountsIsRefused() throws IOException {
    Map<String, Object> options = options(directory, 3 * MAILBOXES);
    assertThat(mail(options).complaint()).isEmpty();
    Path wrong = directory.resolve("wrong.csv");
    Files.writeString(wrong, "user1@mail.example,guessed,user1@mail.example\n");
    Workload refused = mail(Map.of("accounts", wrong.toString()));
    assertThat(refused.complaint())
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("refuses user 'user1@mail.example' or the password")
                    .doesNotContain("guessed"));
    assertThatThrownBy(refused::setUp)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> {
              assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY);
              assertThat(fault.hint()).contains("line 1");
            });
  }
}
