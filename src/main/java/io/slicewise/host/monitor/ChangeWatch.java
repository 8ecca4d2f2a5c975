package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.groups.GroupChanges;
import io.slicewise.host.libvirt.GuestEvents;
import io.slicewise.observe.Location;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import io.slicewise.observe.Sighting;
import io.slicewise.observe.Topic;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Watches for what somebody does to guests within a window and may undo before its end, which no
 * reading at its ends shows: with libvirt the events of its guests, with Xen whether they are
 * paused, once a second, and of control groups settings and processes, once a second. It observes
 * something only if something happened.
 */
public final class ChangeWatch implements Observer {
  /** Changes of guests within the window; a place's note says what happened to it. */
  public static final Topic TOPIC = new Topic("changes", "Changes within the window", "domain");

  /**
   * Runs a program until the end of the input, then ends it with a signal. A program in the
   * background may ignore an interrupt, so it is ended in any case.
   */
  private static final String SCRIPT =
      """
      "$@" </dev/null &
      p=$!
      cat >/dev/null
      kill -"$0" $p
      (sleep 5; kill -KILL $p) </dev/null >/dev/null 2>&1 &
      k=$!
      wait $p
      kill $k\
      """;

  private static final Duration TIME_TO_END = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofHours(25);

  private final Host host;
  private final Program program;
  private final List<Domain> domains;

  private ChangeWatch(Host host, Program program, List<Domain> domains) {
    this.host = host;
    this.program = program;
    this.domains = List.copyOf(domains);
  }

  /** Returns the watch that fits a host; empty if it has none. */
  public static Optional<ChangeWatch> of(
      RemoteShell shell,
      HypervisorKind kind,
      HostDescription description,
      boolean sudo,
      List<Domain> domains) {
    Host host = new Host(shell, sudo, "");
    Optional<Program> program =
        kind.monitors().contains("schedstat")
            ? Optional.of(new LibvirtEvents())
            : kind.monitors().contains("xentop")
                ? Optional.of(new XentopStates(description))
                : kind.monitors().contains("cpuacct")
                    ? Optional.of(new GroupLooks(GroupChanges.of(shell, domains)))
                    : Optional.empty();
    return program.map(one -> new ChangeWatch(host, one, domains));
  }

  /** A program that prints what happens to guests. */
  private interface Program {
    String name();

    List<String> words();

    /** The signal at which it ends and prints what it has not printed yet. */
    String signal();

    /** Returns a clause for each guest to which something happened, by name. */
    Map<String, String> changes(String printed, List<Domain> domains);
  }

  private record LibvirtEvents() implements Program {
    @Override
    public String name() {
      return "virsh event";
    }

    @Override
    public List<String> words() {
      return GuestEvents.command();
    }

    @Override
    public String signal() {
      return "INT";
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      return GuestEvents.changes(printed);
    }
  }

  private record GroupLooks(GroupChanges groups) implements Program {
    @Override
    public String name() {
      return "awk";
    }

    @Override
    public List<String> words() {
      return groups.command();
    }

    @Override
    public String signal() {
      return "TERM";
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      return groups.changes(printed);
    }
  }

  private record XentopStates(HostDescription description) implements Program {
    @Override
    public String name() {
      return "xentop";
    }

    @Override
    public List<String> words() {
      List<String> words = new ArrayList<>(List.of("xentop", "-b"));
      if (description.version().atLeast(4, 0)) {
        words.add("-f");
      }
      words.addAll(List.of("-d", "1"));
      return words;
    }

    @Override
    public String signal() {
      return "TERM";
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      return PausedDomains.in(printed, domains);
    }
  }

  @Override
  public String source() {
    return "changes";
  }

  @Override
  public Watch begin(Duration length, Path logs) {
    List<String> words = new ArrayList<>(List.of("sh", "-c", SCRIPT, program.signal()));
    words.addAll(program.words());
    return new Listening(host.start(LONGEST, words), logs);
  }

  private final class Listening implements Watch {
    private final RunningCommand running;
    private final Path logs;

    Listening(RunningCommand running, Path logs) {
      this.running = running;
      this.logs = logs;
    }

    @Override
    public void end() {
      running.endInput();
    }

    /** It is waited for, so that it sees nothing of the next window's settings. */
    @Override
    public void awaitEnd(Duration longest) {
      running.await(longest);
    }

    @Override
    public List<Observation> finish(Window window) {
      Optional<CommandResult> result;
      try {
        result = running.await(TIME_TO_END);
      } catch (RemoteShellException fault) {
        return List.of(unseen(window, fault.getMessage()));
      }
      String printed = result.map(CommandResult::standardOutput).orElse("");
      LogLines.write(logs.resolve(program.name().replace(' ', '-') + ".txt.gz"), printed);
      if (printed.isBlank()) {
        String why = result.map(Host::said).orElse(" (it did not end)");
        return List.of(unseen(window, program.name() + " printed nothing" + why));
      }
      List<Sighting> sightings = new ArrayList<>();
      program
          .changes(printed, domains)
          .forEach(
              (name, clause) ->
                  sightings.add(new Sighting(Location.domain(name), List.of(), List.of(), clause)));
      return sightings.isEmpty()
          ? List.of()
          : List.of(new Observation(TOPIC, source(), window, sightings, List.of(), List.of()));
    }

    private Observation unseen(Window window, String why) {
      return new Observation(
          TOPIC,
          source(),
          new Window(window.start(), window.start()),
          List.of(),
          List.of(),
          List.of("changes that were undone within the window were not watched for: " + why));
    }

    @Override
    public void close() {
      running.close();
    }
  }

  /** The domains that {@code xentop -b} showed as paused. */
  private static final class PausedDomains {
    private static final Pattern HEADER = Pattern.compile("\\s*NAME\\s+STATE\\s.*");

    /** The name and the state, whose letters are in the order dsbcpr. */
    private static final Pattern ROW =
        Pattern.compile("\\s*(\\S.{0,200}?)\\s+[-d][-s][-b][-c]([-p])[-r]\\s+\\d{1,12}\\s.*");

    /** The length to which xentop cuts names without {@code -f}. */
    private static final int CUT = 10;

    private PausedDomains() {}

    /** Returns a clause for each of these domains that was paused, by name. */
    static Map<String, String> in(String printed, List<Domain> domains) {
      int readings = 0;
      Map<String, Integer> paused = new LinkedHashMap<>();
      for (String line : printed.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (HEADER.matcher(line).matches()) {
          readings++;
        } else if (row.matches() && row.group(2).equals("p")) {
          paused.merge(row.group(1), 1, Integer::sum);
        }
      }
      Map<String, String> clauses = new LinkedHashMap<>();
      for (Domain domain : domains) {
        String cut = domain.name().substring(0, Math.min(CUT, domain.name().length())).strip();
        Integer seen = paused.getOrDefault(domain.name(), paused.get(cut));
        if (seen != null) {
          clauses.put(
              domain.name(), "paused at %d of %d looks in the window".formatted(seen, readings));
        }
      }
      return clauses;
    }
  }
}
