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
 * A mailbox with an open session. Messages of the load have a header that identifies them; nothing
 * else is ever deleted.
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
