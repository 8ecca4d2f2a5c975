package io.slicewise.workload;

import com.sun.mail.imap.IMAPFolder;
import com.sun.mail.imap.IMAPStore;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Properties;
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
 * One mailbox while somebody is signed in. What the load has put there carries a header by which it
 * is found again; nothing else is ever deleted.
 */
record Mailbox(Store store, String user) {
  static final String HEADER = "X-Slicewise";
  static final String MARK = "load";

  /** What the plan looks for in each message that it reads. */
  static final String LAST_LINE = "end-of-message";

  private static final String INBOX = "INBOX";
  private static final int LINE = 72;

  /** That there is an inbox, without touching it. */
  void check() throws MessagingException {
    Folder inbox = store.getFolder(INBOX);
    inbox.open(Folder.READ_ONLY);
    inbox.close(false);
  }

  /**
   * Fills the inbox with what is read.
   *
   * @throws SlicewiseException if it holds anything before, which the load would read
   */
  void fill(int messages, int kibibytes, String address) throws MessagingException {
    Folder inbox = store.getFolder(INBOX);
    if (inbox.getMessageCount() > 0) {
      throw refusal("holds messages that Slicewise did not put there");
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
   * Removes what the load has put there; tells how many messages went. The inbox is never closed in
   * a way that would expunge what somebody else has flagged.
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

  /** A server without UIDPLUS can only expunge all that is flagged, whoever flagged it. */
  private void expunge(Folder inbox, Message[] ours) throws MessagingException {
    if (((IMAPStore) store).hasCapability("UIDPLUS")) {
      ((IMAPFolder) inbox).expunge(ours);
      return;
    }
    if (inbox.getDeletedMessageCount() > ours.length) {
      inbox.setFlags(ours, new Flags(Flags.Flag.DELETED), false);
      throw refusal("holds messages that somebody else has flagged as deleted");
    }
    Message[] gone = inbox.expunge();
    if (gone.length < ours.length) {
      throw refusal("did not let go of " + (ours.length - gone.length) + " messages");
    }
  }

  private SlicewiseException refusal(String why) {
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        "the mailbox of user '" + user + "' " + why + ", so it is left alone",
        "use mailboxes made for the load alone");
  }
}
