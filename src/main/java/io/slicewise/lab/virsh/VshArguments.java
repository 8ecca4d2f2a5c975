package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.VshOption.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The options of one command as virsh reads them: by name or by position. */
final class VshArguments {
  private final String command;
  private final List<VshOption> options;
  private final Map<String, List<String>> values = new HashMap<>();

  private VshArguments(String command, List<VshOption> options) {
    this.command = command;
    this.options = options;
  }

  /** Parses the words after the command's name. */
  static VshArguments read(String command, List<VshOption> options, List<String> words) {
    VshArguments read = new VshArguments(command, options);
    read.read(words);
    return read;
  }

  private void read(List<String> words) {
    for (int at = 0; at < words.size(); at++) {
      String word = words.get(at);
      if (word.matches("(?s)--[A-Za-z0-9].*")) {
        at = named(words, at);
      } else {
        positional(word);
      }
    }
    for (VshOption option : options) {
      if (option.required() && !values.containsKey(option.name())) {
        throw new VirshFailure("command '" + command + "' requires <" + option.name() + "> option");
      }
    }
  }

  /** Parses an option by name and returns the index of the last word used. */
  private int named(List<String> words, int at) {
    String name = words.get(at).substring(2);
    VshOption option =
        options.stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new VirshFailure("command '" + command + "' doesn't support option --" + name));
    if (option.kind() != Kind.REST && values.containsKey(name)) {
      throw new VirshFailure("option --" + name + " already seen");
    }
    if (option.kind() == Kind.FLAG) {
      add(option, "");
      return at;
    }
    if (at + 1 == words.size()) {
      throw new VirshFailure("expected syntax: --" + name + " " + option.placeholder());
    }
    add(option, words.get(at + 1));
    return at + 1;
  }

  private void positional(String word) {
    VshOption free =
        options.stream()
            .filter(VshOption::positional)
            .filter(one -> one.kind() == Kind.REST || !values.containsKey(one.name()))
            .findFirst()
            .orElseThrow(() -> new VirshFailure("unexpected data '" + word + "'"));
    add(free, word);
  }

  private void add(VshOption option, String value) {
    values.computeIfAbsent(option.name(), name -> new ArrayList<>()).add(value);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(all -> all.get(0));
  }

  /** Returns all values of an option that takes the remaining words. */
  List<String> rest(String name) {
    return values.getOrDefault(name, List.of());
  }

  OptionalInt number(String name) {
    if (!has(name)) {
      return OptionalInt.empty();
    }
    String text = text(name).orElseThrow();
    if (!text.matches("[+-]?\\d{1,9}")) {
      throw new VirshFailure(
          "Numeric value '" + text + "' for <" + name + "> option is malformed or out of range");
    }
    return OptionalInt.of(Integer.parseInt(text));
  }

  /** Refuses two options that exclude each other. */
  void exclude(String one, String other) {
    if (has(one) && has(other)) {
      throw new VirshFailure("Options --" + one + " and --" + other + " are mutually exclusive");
    }
  }

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

  /**
   * The targets of a change: the running guest, its configuration, or both.
   *
   * @param live whether the running guest changes
   * @param config whether the configuration for its next start changes
   */
  record Impact(boolean live, boolean config) {
    static final List<VshOption> OPTIONS =
        List.of(VshOption.flag("config"), VshOption.flag("live"), VshOption.flag("current"));

    /** Refuses contradictory options before any other check. */
    static void check(VshArguments arguments) {
      arguments.exclude("current", "live");
      arguments.exclude("current", "config");
    }

    /** Returns the targets. Without options: the guest if it runs, otherwise its configuration. */
    static Impact of(VshArguments arguments, LibvirtGuest guest) {
      Impact asked = new Impact(arguments.has("live"), arguments.has("config"));
      if (asked.live) {
        guest.running();
      }
      if (asked.config && guest.config().isEmpty()) {
        throw new LibvirtError(
            "Requested operation is not valid: transient domains do not have any persistent config");
      }
      return asked.live || asked.config
          ? asked
          : new Impact(guest.life().isPresent(), guest.life().isEmpty());
    }
  }
}
