package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.GuestWatcher;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.observe.Observer;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches for what somebody does to guests within a window and may undo before its end, which no
 * reading at its ends shows. It observes something only if something happened.
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
  private final GuestWatcher program;
  private final List<Domain> domains;

  private ChangeWatch(Host host, GuestWatcher program, List<Domain> domains) {
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
    return kind.watcher(shell, description, domains)
        .map(program -> new ChangeWatch(host, program, domains));
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
}
