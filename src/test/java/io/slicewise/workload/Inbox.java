package io.slicewise.workload;

import io.slicewise.workload.MailServers.MailAccounts.Account;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.mail.Folder;
import javax.mail.Message;
import javax.mail.MessagingException;
import javax.mail.Multipart;
import javax.mail.Part;
import javax.mail.Session;
import javax.mail.Store;
import javax.mail.internet.MimeMessage;

/** What stands in an inbox, seen by a mail client that knows nothing of the load. */
record Inbox(List<Mail> mails) {
  /** One message: its body, or its parts; binary parts as Latin-1. */
  record Mail(String subject, String type, List<String> parts) {}

  static Inbox of(Map<String, Object> options, Account account)
      throws MessagingException, IOException {
    List<Mail> mails = new ArrayList<>();
    try (Store store = open(options, account)) {
      Folder inbox = store.getFolder("INBOX");
      inbox.open(Folder.READ_ONLY);
      for (Message message : inbox.getMessages()) {
        mails.add(new Mail(message.getSubject(), message.getContentType(), parts(message)));
      }
      inbox.close(false);
    }
    return new Inbox(mails);
  }

  /** Puts a message there that is no concern of the load. */
  static void putForeign(Map<String, Object> options, Account account) throws MessagingException {
    MimeMessage message = new MimeMessage(Session.getInstance(new Properties()));
    message.setSubject("invoice");
    message.setText("Please pay.");
    message.saveChanges();
    try (Store store = open(options, account)) {
      store.getFolder("INBOX").appendMessages(new Message[] {message});
    }
  }

  private static Store open(Map<String, Object> options, Account account)
      throws MessagingException {
    String[] imap = options.get("imap").toString().split(":", -1);
    Store store = Session.getInstance(new Properties()).getStore("imap");
    store.connect(imap[0], Integer.parseInt(imap[1]), account.user(), account.password().reveal());
    return store;
  }

  private static List<String> parts(Message message) throws MessagingException, IOException {
    List<String> parts = new ArrayList<>();
    if (message.getContent() instanceof Multipart multipart) {
      for (int i = 0; i < multipart.getCount(); i++) {
        parts.add(text(multipart.getBodyPart(i)));
      }
    } else {
      parts.add(text(message));
    }
    return parts;
  }

  private static String text(Part part) throws MessagingException, IOException {
    return new String(part.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }
}
