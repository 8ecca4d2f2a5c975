package io.slicewise.base.units;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Explains why a file could not be read: Java's message is often only the file's name. */
public final class FileFault {
  private FileFault() {}

  /** Returns a clause without a full stop, such as "there is no such file". */
  public static String reason(IOException fault) {
    if (fault instanceof NoSuchFileException) {
      return "there is no such file";
    } else if (fault instanceof AccessDeniedException) {
      return "access is denied";
    } else if (fault instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    }
    return String.valueOf(fault.getMessage());
  }
}
