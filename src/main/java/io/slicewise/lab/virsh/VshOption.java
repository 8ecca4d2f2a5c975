package io.slicewise.lab.virsh;

/**
 * An option of a command.
 *
 * @param required whether the command requires it
 * @param positional whether its value may appear without its name
 */
record VshOption(String name, Kind kind, boolean required, boolean positional) {
  enum Kind {
    FLAG,
    TEXT,
    NUMBER,
    REST
  }

  static VshOption flag(String name) {
    return new VshOption(name, Kind.FLAG, false, false);
  }

  /** Returns the option that selects the command's guest. */
  static VshOption domain() {
    return new VshOption("domain", Kind.TEXT, true, true);
  }

  static VshOption text(String name) {
    return new VshOption(name, Kind.TEXT, false, true);
  }

  static VshOption number(String name, boolean positional) {
    return new VshOption(name, Kind.NUMBER, false, positional);
  }

  /** Returns an option that takes all remaining words. */
  static VshOption rest(String name) {
    return new VshOption(name, Kind.REST, false, true);
  }

  String placeholder() {
    return kind == Kind.NUMBER ? "<number>" : "<string>";
  }
}
