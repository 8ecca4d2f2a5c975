package io.slicewise.base.units;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read, in words: what Java says is often the file's name alone. */
public final class FileFault {
  private FileFault() {}

  /** A clause without a full stop, such as "there is no such file". */
  public static String words(IOException fault) {
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
