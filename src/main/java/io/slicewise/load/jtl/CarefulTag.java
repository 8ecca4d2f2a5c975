package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.text.Attributes;
import io.slicewise.load.jtl.text.Words;
import java.util.Optional;

/** Reads the tag of a sample byte by byte, in any spelling that XML allows. */
final class CarefulTag {
  /** How reading ended. */
  enum Outcome {
    READ,
    /** The bytes ended first. */
    CUT,
    /**
     * Not a tag, or a less-than sign in a value: the next tag begins before the end of this one.
     */
    BROKEN
  }

  private final Values values;
  private byte[] bytes = {};
  private int at;
  private int to;
  private boolean open;
  private Optional<DamageKind> fault = Optional.empty();

  CarefulTag(Values values) {
    this.values = values;
  }

  /** Whether the element has its own end tag. */
  boolean open() {
    return open;
  }

  /** The position after the tag. */
  int next() {
    return at;
  }

  /** The first error in a value. */
  Optional<DamageKind> fault() {
    return fault;
  }

  Outcome read(Row row, byte[] source, int attributes, int limit) {
    bytes = source;
    at = attributes;
    to = limit;
    fault = Optional.empty();
    row.bytes = bytes;
    row.timeStamp = Row.UNKNOWN;
    row.elapsed = Row.UNKNOWN;
    while (true) {
      passBlanks();
      if (at >= to) {
        return Outcome.CUT;
      }
      if (bytes[at] == '>' || bytes[at] == '/') {
        return end(row);
      }
      Outcome attribute = attribute(row);
      if (attribute != Outcome.READ) {
        return attribute;
      }
    }
  }

  private Outcome end(Row row) {
    open = bytes[at] == '>';
    at += open ? 1 : 2;
    if (at > to) {
      return Outcome.CUT;
    }
    if (bytes[at - 1] != '>') {
      return Outcome.BROKEN;
    }
    if (fault.isEmpty() && (row.timeStamp < 0 || row.elapsed < 0)) {
      fault = Optional.of(DamageKind.BAD_TAG);
    }
    fault = fault.or(row::timeFault);
    return Outcome.READ;
  }

  private Outcome attribute(Row row) {
    int name = at;
    while (at < to && isNameLetter(bytes[at])) {
      at++;
    }
    int nameEnd = at;
    if (nameEnd == name) {
      return Outcome.BROKEN;
    }
    passBlanks();
    if (at < to && bytes[at] == '=') {
      at++;
      passBlanks();
      if (at < to && (bytes[at] == '"' || bytes[at] == '\'')) {
        return value(row, role(name, nameEnd));
      }
    }
    return at < to ? Outcome.BROKEN : Outcome.CUT;
  }

  /** Whether a byte may be part of an attribute's name. */
  static boolean isNameLetter(byte letter) {
    return letter != '='
        && letter != '>'
        && letter != '/'
        && letter != '<'
        && letter != '"'
        && letter != '\''
        && !isBlank(letter);
  }

  private byte role(int start, int end) {
    return Attributes.role(Words.at(bytes, start), end - start);
  }

  private Outcome value(Row row, byte role) {
    byte quote = bytes[at++];
    int start = at;
    while (at < to && bytes[at] != quote) {
      if (bytes[at] == '<') {
        return Outcome.BROKEN;
      }
      at++;
    }
    if (at >= to) {
      return Outcome.CUT;
    }
    Optional<DamageKind> wrong = values.put(row, role, bytes, start, at);
    fault = fault.isPresent() ? fault : wrong;
    at++;
    return Outcome.READ;
  }

  private void passBlanks() {
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
  }

  /** Whether a byte may be between attributes. */
  static boolean isBlank(byte letter) {
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
  }
}
