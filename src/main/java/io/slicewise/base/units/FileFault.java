package io.slicewise.base.units;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/**
 * Explains in plain words why a file, a program or a connection failed. Java's message is often
 * only a name, a class or nothing.
 */
public final class FileFault {
  /** Slicewise's own errors, whose messages are sentences already. */
  private static final String OURS = "io.slicewise.";

  private static final String FULL = "the disk is full";
  private static final String REFUSED = "the connection was refused: nothing listens there";
  private static final String CLOSED = "the connection was closed";
  private static final Pattern CLASS_NAME =
      Pattern.compile("^(?:Session\\.connect|(?:[a-z][a-z0-9]*\\.)+[A-Z]\\w*): ");

  private static final Map<Class<? extends Exception>, String> BY_TYPE =
      Map.ofEntries(
          Map.entry(NoSuchFileException.class, "there is no such file"),
          Map.entry(AccessDeniedException.class, "access is denied"),
          Map.entry(NotDirectoryException.class, "it is not a directory"),
          Map.entry(DirectoryNotEmptyException.class, "the directory is not empty"),
          Map.entry(FileAlreadyExistsException.class, "it exists already"),
          Map.entry(CharacterCodingException.class, "it is not UTF-8 text"),
          Map.entry(EOFException.class, "it ends too early"),
          Map.entry(ZipException.class, "it is damaged, or not compressed with gzip"),
          Map.entry(NoRouteToHostException.class, "there is no route to the host"),
          Map.entry(SocketTimeoutException.class, "there was no answer in time"),
          Map.entry(HttpTimeoutException.class, "there was no answer in time"),
          Map.entry(UnresolvedAddressException.class, "the host name is unknown"),
          Map.entry(ClosedChannelException.class, CLOSED));

  /** Jackson's place of a fault. */
  private static final Pattern JSON_PLACE = Pattern.compile("\\bline: (\\d+)");

  /** Parts of the messages of the operating system, and what they mean. */
  private static final Map<String, String> BY_TEXT =
      Map.ofEntries(
          Map.entry("No space left on device", FULL),
          Map.entry("Disk quota exceeded", "the disk quota is used up"),
          Map.entry("Read-only file system", "the file system is read-only"),
          Map.entry("Is a directory", "it is a directory"),
          Map.entry("Not a directory", "a part of its path is not a directory"),
          Map.entry("No such file or directory", "there is no such file"),
          Map.entry("Permission denied", "access is denied"),
          Map.entry("Operation not permitted", "access is denied"),
          Map.entry("Too many open files", "too many files are open"),
          Map.entry("File name too long", "its name is too long"),
          Map.entry("Cannot allocate memory", "there is too little memory"),
          Map.entry("Connection refused", REFUSED),
          Map.entry("Connection timed out", "there was no answer in time"),
          Map.entry("connect timed out", "there was no answer in time"),
          Map.entry("Network is unreachable", "the network is unreachable"),
          Map.entry("No route to host", "there is no route to the host"),
          Map.entry("Connection reset", "the other side closed the connection"),
          Map.entry("End of IO Stream Read", "the other side closed the connection"),
          Map.entry("Broken pipe", "the other side closed the connection"),
          Map.entry("Socket closed", CLOSED),
          Map.entry("Address already in use", "the port is in use"),
          Map.entry("Input/output error", "the disk reports an error"));

  private FileFault() {}

  /** Returns whether the file system has no room. */
  public static boolean isDiskFull(IOException fault) {
    return reason(fault).equals(FULL);
  }

  /** Returns the failure to read a file of measurements. */
  public static SlicewiseException unreadable(Path file, IOException fault) {
    return new SlicewiseException(
        ErrorKind.NO_VALID_DATA,
        file + " cannot be read: " + reason(fault),
        "Check that the file exists and is readable.",
        fault);
  }

  /** Returns a clause without a full stop, such as "there is no such file". */
  public static String reason(Throwable fault) {
    boolean connecting = false;
    for (Throwable at : chain(fault)) {
      connecting |= at instanceof ConnectException;
      String known = known(at);
      if (!known.isEmpty()) {
        return connecting && known.equals(CLOSED) ? REFUSED : known;
      }
    }
    return connecting ? REFUSED : words(fault);
  }

  private static Set<Throwable> chain(Throwable fault) {
    Set<Throwable> chain = new LinkedHashSet<>();
    Throwable at = fault;
    while (at != null && chain.add(at)) {
      at = at.getCause();
    }
    return chain;
  }

  private static String known(Throwable fault) {
    String message = String.valueOf(fault.getMessage());
    if (fault.getMessage() != null && fault.getClass().getName().startsWith(OURS)) {
      return message;
    }
    if (fault instanceof UnknownHostException) {
      return "the host name %s is unknown".formatted(message.replaceFirst(":.*", ""));
    }
    if (message.startsWith("Cannot run program ")) {
      String program = message.split("\"", 3)[1];
      return message.endsWith("No such file or directory")
          ? "there is no program " + program
          : "%s cannot be started: %s".formatted(program, system(message));
    }
    if (fault.getClass().getName().startsWith("com.fasterxml.jackson.")) {
      Matcher place = JSON_PLACE.matcher(message);
      return "it is not the JSON expected here"
          + (place.find() ? ", from line " + place.group(1) : "");
    }
    for (Map.Entry<Class<? extends Exception>, String> type : BY_TYPE.entrySet()) {
      if (type.getKey().isInstance(fault)) {
        return type.getValue();
      }
    }
    return fault instanceof IOException ? system(message) : "";
  }

  /** Returns what an error of the operating system means; empty if the message is none. */
  private static String system(String message) {
    String end = message.endsWith(")") ? message.substring(0, message.length() - 1) : message;
    return BY_TEXT.entrySet().stream()
        .filter(text -> end.endsWith(text.getKey()) || message.startsWith(text.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Returns the first message without names of classes, or else the name of the class as words. */
  private static String words(Throwable fault) {
    return chain(fault).stream()
        .filter(at -> at.getMessage() != null && !at.getMessage().isBlank())
        .map(FileFault::withoutClasses)
        .findFirst()
        .orElseGet(
            () ->
                fault
                    .getClass()
                    .getSimpleName()
                    .replaceFirst("(?:Exception|Error)$", "")
                    .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                    .toLowerCase(Locale.ROOT));
  }

  private static String withoutClasses(Throwable fault) {
    String text =
        fault instanceof FileSystemException file && file.getReason() != null
            ? file.getReason()
            : fault.getMessage();
    String shorter = CLASS_NAME.matcher(text).replaceFirst("");
    while (!shorter.equals(text)) {
      text = shorter;
      shorter = CLASS_NAME.matcher(text).replaceFirst("");
    }
    return text.lines().findFirst().orElse(text);
  }
}
