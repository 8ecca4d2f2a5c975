package io.slicewise.lab.virsh;

/**
 * An option of a command.
 *
 * @param required whether the command requires it
 * @param positional whether its value may appear without its name
 */
record VshOption(String name, Kind kind, boolean required, boolean positional, String help) {
  enum Kind {
    FLAG,
    TEXT,
    NUMBER,
    REST
  }

  static VshOption flag(String name, String help) {
    return new VshOption(name, Kind.FLAG, false, false, help);
  }

  /** Returns the option that selects the command's guest. */
  static VshOption domain() {
    return needed("domain", "domain name, id or uuid");
  }

  static VshOption needed(String name, String help) {
    return new VshOption(name, Kind.TEXT, true, true, help);
  }

  static VshOption text(String name, String help) {
    return new VshOption(name, Kind.TEXT, false, true, help);
  }

  /** Returns a text option whose name must be written. */
  static VshOption named(String name, String help) {
    return new VshOption(name, Kind.TEXT, false, false, help);
  }

  static VshOption number(String name, boolean positional, String help) {
    return new VshOption(name, Kind.NUMBER, false, positional, help);
  }

  /** Returns an option that takes all remaining words. */
  static VshOption rest(String name, String help) {
    return new VshOption(name, Kind.REST, false, true, help);
  }

  String placeholder() {
    return kind == Kind.NUMBER ? "<number>" : "<string>";
  }
}
