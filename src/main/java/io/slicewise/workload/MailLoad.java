package io.slicewise.workload;

import com.sun.mail.imap.IMAPFolder;
import com.sun.mail.imap.IMAPStore;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.MailServers.Endpoint;
import io.slicewise.workload.MailServers.MailAccounts;
import io.slicewise.workload.MailServers.MailAccounts.Account;
import io.slicewise.workload.MailServers.Security;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.mail.Flags;
import javax.mail.Folder;
import javax.mail.Message;
import javax.mail.MessagingException;
import javax.mail.Session;
import javax.mail.Store;
import javax.mail.internet.InternetAddress;
import javax.mail.internet.MimeMessage;
import javax.mail.search.HeaderTerm;

/**
 * Heavy users of a mail server who sign in, read, send with an attachment, and create calendar
 * entries.
 *
 * @param messages in each mailbox, to be read
 * @param kibibytes size of each
 */
record MailLoad(
    Optional<Path> plan,
    Map<String, String> properties,
    MailServers servers,
    MailAccounts accounts,
    int messages,
    int kibibytes)
    implements Workload {
  /** A server may still deliver mail after the load has ended. */
  private static final int MOST_SWEEPS = 20;

  private static final int AT_ONCE = 8;

  static final class Type extends WorkloadType {
    private static final Map<Security, Integer> SMTP_PORTS =
        Map.of(Security.NONE, 25, Security.STARTTLS, 587, Security.TLS, 465);
    private static final Map<Security, Integer> IMAP_PORTS =
        Map.of(Security.NONE, 143, Security.STARTTLS, 143, Security.TLS, 993);

    Type() {
      super(
          "mail",
          "Heavy users of a mail server: sign in, read, send with an attachment, calendar.",
          "the mail server");
    }

    @Override
    public List<Option> options() {
      return List.of(
          Option.needed("smtp", new OptionKind.Text(), "the server for sending, HOST or HOST:PORT")
              .asPlace(),
          Option.needed("imap", new OptionKind.Text(), "the server for reading, HOST or HOST:PORT")
              .asPlace(),
          Option.needed(
                  "accounts",
                  new OptionKind.File(),
                  "the file of mailboxes: user,password,address on each line")
              .asPlace(),
          Option.withDefault(
              "security",
              OptionKind.Word.of(Security.values()),
              "starttls",
              "the encryption for both servers"),
          Option.optional(
                  "truststore",
                  new OptionKind.File(),
                  "the Java key store of trusted certificates; default: Java's")
              .asPlace(),
          Option.withDefault(
              "messages",
              new OptionKind.Whole(1, 1000),
              4,
              "number of messages per reading; each mailbox is filled with that many"),
          Option.withDefault(
              "message-size", new OptionKind.Whole(1, 10_240), 20, "size of each message in KiB"));
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Options options = request.options();
      Security security = options.constant("security", Security.class);
      MailServers servers =
          new MailServers(
              endpoint(options, "smtp", SMTP_PORTS.get(security)),
              endpoint(options, "imap", IMAP_PORTS.get(security)),
              security,
              options.file("truststore"));
      MailAccounts accounts =
          MailAccounts.read(
              options
                  .file("accounts")
                  .orElseThrow(
                      () -> WorkloadRequest.missing(name(), "accounts: a file of mailboxes")));
      int messages = Math.toIntExact(options.whole("messages"));
      Map<String, String> properties = new LinkedHashMap<>(servers.properties());
      properties.put("accounts", accounts.file().toString());
      properties.put("read-messages", Integer.toString(messages));
      properties.putAll(request.properties());
      return new MailLoad(
          Optional.of(request.planOr(name())),
          properties,
          servers,
          accounts,
          messages,
          Math.toIntExact(options.whole("message-size")));
    }

    private Endpoint endpoint(Options options, String name, int usualPort) {
      String text =
          options
              .text(name)
              .orElseThrow(() -> WorkloadRequest.missing(name(), name + ": HOST or HOST:PORT"));
      try {
        return Endpoint.parse(text, usualPort);
      } catch (IllegalArgumentException fault) {
        throw SlicewiseException.input(
            name + " '" + text + "' " + fault.getMessage(),
            "fix it in the experiment's workload",
            fault);
      }
    }
  }

  MailLoad {
    properties = Map.copyOf(properties);
  }

  /** JMeter builds a message between two samples, which takes time on the generator. */
  @Override
  public boolean pausesAreThinking() {
    return true;
  }

  /** Removes messages of earlier loads and fills each inbox with messages to read. */
  @Override
  public void setUp() {
    servers.checkSending(accounts.all().get(0));
    inEachMailbox(
        "filling the mailbox",
        (mailbox, account) -> {
          mailbox.clear();
          mailbox.fill(messages, kibibytes, account.address());
        });
  }

  @Override
  public Optional<String> complaint() {
    try {
      servers.checkSending(accounts.all().get(0));
      inEachMailbox("checking the mailbox", (mailbox, account) -> mailbox.check());
      return Optional.empty();
    } catch (SlicewiseException fault) {
      return Optional.of(fault.inOneLine());
    }
  }

  /** Repeats until nothing more is found, because a server may still deliver mail. */
  @Override
  public void tearDown() {
    AtomicInteger removed = new AtomicInteger(1);
    for (int sweep = 0; removed.get() > 0 && sweep < MOST_SWEEPS; sweep++) {
      removed.set(0);
      inEachMailbox(
          "emptying the mailbox", (mailbox, account) -> removed.addAndGet(mailbox.clear()));
    }
  }

  private interface Work {
    void in(Mailbox mailbox, Account account) throws MessagingException;
  }

  /** Works on several mailboxes at a time; the first error ends it. */
  private void inEachMailbox(String doing, Work work) {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<CompletableFuture<Void>> all =
          accounts.all().stream()
              .map(
                  account ->
                      CompletableFuture.runAsync(
                          () ->
                              servers.inMailbox(
                                  account,
                                  doing,
                                  store -> work.in(new Mailbox(store, account.user()), account)),
                          threads))
              .toList();
      all.forEach(CompletableFuture::join);
    } catch (CompletionException fault) {
      throw fault.getCause() instanceof SlicewiseException known ? known : fault;
    } finally {
      end(threads);
    }
  }

  /** Waits for running work, which could otherwise fill a mailbox that is emptied next. */
  private static void end(ExecutorService threads) {
    threads.shutdownNow();
    try {
      while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        // The time limits of the servers end every exchange.
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A mailbox with an open session. Messages of the load have a header that identifies them;
   * nothing else is ever deleted.
   */
  record Mailbox(Store store, String user) {
    static final String HEADER = "X-Slicewise";
    static final String MARK = "load";

    /** The text that the plan checks for in each message that it reads. */
    static final String LAST_LINE = "end-of-message";

    private static final String INBOX = "INBOX";
    private static final int LINE = 72;

    /** Checks that there is an inbox, without changing it. */
    void check() throws MessagingException {
      Folder inbox = store.getFolder(INBOX);
      inbox.open(Folder.READ_ONLY);
      inbox.close(false);
    }

    /**
     * Fills the inbox with messages to read.
     *
     * @throws SlicewiseException if it is not empty, because the load would read other messages
     */
    void fill(int messages, int kibibytes, String address) throws MessagingException {
      Folder inbox = store.getFolder(INBOX);
      if (inbox.getMessageCount() > 0) {
        throw refusal("contains messages that Slicewise did not create");
      }
      MimeMessage[] filling = new MimeMessage[messages];
      for (int i = 0; i < messages; i++) {
        filling[i] = message(i + 1, kibibytes, address);
      }
      inbox.appendMessages(filling);
    }

    private static MimeMessage message(int number, int kibibytes, String address)
        throws MessagingException {
      MimeMessage message = new MimeMessage(Session.getInstance(new Properties()));
      message.setFrom(new InternetAddress(address));
      message.setRecipient(Message.RecipientType.TO, new InternetAddress(address));
      message.setSubject("[slicewise] message " + number);
      message.setHeader(
          "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(OffsetDateTime.now(ZoneOffset.UTC)));
      String line = ("message " + number + " ").repeat(LINE).substring(0, LINE - 2) + "\r\n";
      message.setText(line.repeat(kibibytes * 1024 / LINE) + LAST_LINE + "\r\n", "US-ASCII");
      message.setHeader(HEADER, MARK);
      message.saveChanges();
      return message;
    }

    /**
     * Removes the messages of the load and returns their number. Closing the inbox never expunges
     * messages that others have flagged.
     */
    int clear() throws MessagingException {
      Folder inbox = store.getFolder(INBOX);
      inbox.open(Folder.READ_WRITE);
      try {
        return removed(inbox);
      } finally {
        inbox.close(false);
      }
    }

    private int removed(Folder inbox) throws MessagingException {
      Message[] ours = inbox.search(new HeaderTerm(HEADER, MARK));
      if (ours.length > 0) {
        inbox.setFlags(ours, new Flags(Flags.Flag.DELETED), true);
        expunge(inbox, ours);
      }
      return ours.length;
    }

    /**
     * Removes flagged messages. A server without UIDPLUS can only expunge all of them, including
     * those flagged by others.
     */
    private void expunge(Folder inbox, Message[] ours) throws MessagingException {
      if (((IMAPStore) store).hasCapability("UIDPLUS")) {
        ((IMAPFolder) inbox).expunge(ours);
        return;
      }
      if (inbox.getDeletedMessageCount() > ours.length) {
        inbox.setFlags(ours, new Flags(Flags.Flag.DELETED), false);
        throw refusal("contains messages that somebody else has flagged as deleted");
      }
      Message[] gone = inbox.expunge();
      if (gone.length < ours.length) {
        throw refusal("did not delete " + (ours.length - gone.length) + " messages");
      }
    }

    private SlicewiseException refusal(String why) {
      return new SlicewiseException(
          ErrorKind.NOT_READY,
          "the mailbox of user '" + user + "' " + why + ", so it is not changed",
          "use mailboxes that are only for the load");
    }
  }
}
