package io.slicewise.load.access;

import io.slicewise.base.units.EnumName;
import java.util.List;
import java.util.Optional;

/** A field of a line. */
enum Field {
  /** When the request began. */
  START,
  /** When the line was written, at the end of the request. */
  END,
  /** From the request's beginning to its end. */
  DURATION,
  /** The part of the duration that servers behind took; several tries are added up. */
  UPSTREAM,
  STATUS,
  METHOD,
  HOST,
  PATH,
  /** Method, path and protocol in one. */
  REQUEST,
  BYTES,
  /** Apache's state of the connection at the end. */
  CONNECTION,
  /** What nobody reads. */
  OTHER;

  /** The fields that a file may name. */
  static final List<Field> NAMED =
      List.of(START, END, DURATION, UPSTREAM, STATUS, METHOD, HOST, PATH, REQUEST, BYTES);

  static List<String> names() {
    return NAMED.stream().map(EnumName::of).toList();
  }

  static Optional<Field> named(String name) {
    return EnumName.named(Field.class, name).filter(NAMED::contains);
  }
}
