package io.slicewise.host;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a host restores by itself what a run changed of a running domain: commands that work whatever
 * the current settings are, and how to see whose those are.
 *
 * @param domain its name
 * @param present answers only while the same domain still runs
 * @param parts in order, each restored or left as a whole
 */
public record Undo(String domain, Reading present, List<Part> parts) {
  public Undo {
    parts = List.copyOf(parts);
  }

  /** Returns a POSIX extended regular expression that matches this text and no other. */
  public static String literally(String text) {
    return text.replaceAll("[.\\[\\](){}*+?|^$\\\\]", "\\\\$0");
  }

  /** Returns whether this undo does everything that another one does. */
  public boolean covers(Undo other) {
    return domain.equals(other.domain) && and(other).equals(this);
  }

  /** Returns the undo of these changes and later ones; the later one alone after a restart. */
  public Undo and(Undo later) {
    if (!present.equals(later.present)) {
      return later;
    }
    Map<String, Part> all = new LinkedHashMap<>();
    parts.forEach(part -> all.put(part.name, part));
    later.parts.forEach(part -> all.merge(part.name, part, Part::and));
    return new Undo(domain, present, List.copyOf(all.values()));
  }

  /**
   * What a run changes of a domain.
   *
   * @param found the settings to restore
   * @param parameters keys of those that the run changes; all others stay as they are
   * @param possible every setting that the run may leave; any other is someone else's
   */
  public record Change(
      SchedulerParameters found, Set<String> parameters, List<SchedulerParameters> possible) {
    public Change {
      parameters = Set.copyOf(parameters);
      possible = List.copyOf(possible);
    }

    /** A change of every parameter. */
    public static Change ofAll(SchedulerParameters found) {
      Set<String> all = new TreeSet<>();
      found.scheduler().parameters().forEach(parameter -> all.add(parameter.key()));
      return new Change(found, all, List.of());
    }

    /** Returns the texts of one value: as found, and as the run may have set it. */
    public Set<String> texts(Function<SchedulerParameters, String> value) {
      Set<String> texts = new TreeSet<>(Set.of(value.apply(found)));
      possible.stream()
          .filter(settings -> settings.scheduler() == found.scheduler())
          .flatMap(settings -> settings.each().stream())
          .forEach(settings -> texts.add(value.apply(settings)));
      return texts;
    }
  }

  /**
   * A command and what it must print.
   *
   * @param lines POSIX extended regular expressions; each must match one of the printed lines
   */
  public record Reading(Command command, List<String> lines) {
    public Reading {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Parameters that are restored together.
   *
   * @param name unique in the domain
   * @param commands in order
   * @param listing prints the current values
   * @param values of the listing
   * @param whatever whether all commands are sent although some of them fail, as those do that have
   *     nothing to do
   */
  public record Part(
      String name, List<Command> commands, Command listing, List<Value> values, boolean whatever) {
    public Part {
      commands = List.copyOf(commands);
      values = List.copyOf(values);
    }

    /** Parameters whose commands all have to work. */
    public Part(String name, List<Command> commands, Command listing, List<Value> values) {
      this(name, commands, listing, values, false);
    }

    private Part and(Part later) {
      boolean same =
          commands.equals(later.commands)
              && listing.equals(later.listing)
              && values.size() == later.values.size();
      if (!same) {
        return later;
      }
      List<Value> both = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        both.add(values.get(i).and(later.values.get(i)));
      }
      return new Part(name, commands, listing, both, whatever);
    }

    /** Returns the reading of the restored values. */
    public Reading restored() {
      return new Reading(listing, values.stream().map(value -> value.line(value.found)).toList());
    }

    /** Returns the reading of values that are as found or as the run set them. */
    public Reading known() {
      return new Reading(
          listing,
          values.stream()
              .map(value -> value.line("(" + String.join("|", value.known) + ")"))
              .toList());
    }

    /** Returns a regular expression for the lines that show the values, whatever they are. */
    public String lines() {
      return values.stream().map(Value::before).distinct().collect(Collectors.joining("|"));
    }
  }

  /**
   * A value in a listing, as POSIX extended regular expressions.
   *
   * @param before the start of its line, up to the value
   * @param found the value to restore
   * @param known that value, and those that the run may have set
   * @param after the rest of its line
   */
  public record Value(String before, String found, Set<String> known, String after) {
    public Value {
      known = new TreeSet<>(known);
    }

    private Value and(Value later) {
      Set<String> both = new TreeSet<>(known);
      both.addAll(later.known);
      return new Value(before, found, both, after);
    }

    private String line(String value) {
      return before + value + after;
    }
  }
}
