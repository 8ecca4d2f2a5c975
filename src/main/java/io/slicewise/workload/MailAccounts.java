package io.slicewise.workload;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
