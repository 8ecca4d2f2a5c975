package io.slicewise.sweep.follow;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Arms;
import io.slicewise.experiment.Experiment.Testbed;
import io.slicewise.experiment.Experiment.TrialCourse;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.sweep.HostFollow;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.policy.BandChoice;
import io.slicewise.sweep.policy.BandChoice.Change;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Follows a policy on a host: sets the profile of the band in which the load is, until it is asked
 * to stop or its time is over. The host is restored at the end.
 */
public final class Follower {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** The settings in force are verified that often. */
  private static final Duration CHECK = Duration.ofSeconds(30);

  /** A profile whose guest does not run is tried again after this. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** Without a reading for this long, the load is unknown and the settings stay. */
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private final Policy policy;
  private final Experiment site;
  private final Clock clock;
  private final StopRequest stop;
  private final Listener listener;
  private final BandChoice choice;
  private Optional<Comparison> comparison = Optional.empty();
  private String inForce = SchedulerProfile.AS_FOUND.name();
  private Optional<String> missing = Optional.empty();
  private Instant verified = Instant.MIN;
  private Instant heard = Instant.MAX;
  private boolean silent;
  private boolean outside;
  private int changes;

  /** Receives what happens. */
  public interface Listener {
    /** Called about once a second. */
    public default void status(Status status) {}

    /** A change of band, after the host has taken it. */
    public default void changed(Change change) {}

    public default void notice(String sentence) {}

    /** A pair of windows of a comparison has ended. */
    default void compared(Comparison comparison) {}
  }

  /**
   * The present state.
   *
   * @param load the mean of the window; {@code NaN} if it is unknown
   * @param outside whether the load is outside the loads that were measured
   * @param changes of settings so far
   */
  public record Status(
      Instant at, double load, Optional<Band> band, String profile, boolean outside, int changes) {}

  public Follower(
      Policy policy, Experiment site, StopRequest stop, Listener listener, Clock clock) {
    this.policy = policy;
    this.site = site;
    this.stop = stop;
    this.listener = listener;
    this.clock = clock;
    this.choice = new BandChoice(policy);
  }

  /** Compares the policy with its fixed profile in windows of this length, in pairs. */
  public void compare(Duration window) {
    comparison = Optional.of(new Comparison(policy, window));
  }

  /**
   * Follows the policy.
   *
   * @param limit after which it ends; empty for no end
   * @return the directory of its journal
   * @throws SlicewiseException if this policy cannot be followed on this host
   */
  public RunDirectory follow(Path results, SweepOptions options, Optional<Duration> limit) {
    HostSpec host = refuseUnsafe();
    if (policy.load().domain().isEmpty()) {
      LoadSource.log(site);
    }
    return HostFollow.during(
        followed(),
        results,
        "follow-" + SchedulerProfile.fileName(policy.name()),
        options,
        stop,
        clock,
        listener::notice,
        found -> refuseOther(host, found),
        there -> follow(there, limit));
  }

  private HostSpec refuseUnsafe() {
    HostSpec host =
        site.host()
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        "experiment %s names no host".formatted(site.name()), "add 'host:'"));
    // An embedded lab ends with this process, so nothing of it is left to restore.
    if (host.deadMan().isEmpty() && site.lab().isEmpty()) {
      throw SlicewiseException.input(
          "experiment %s has no dead man's switch, without which nothing is followed"
              .formatted(site.name()),
          "add 'dead-man: 5m' below 'host:'; the host then restores itself if this machine is"
              + " lost");
    }
    return host;
  }

  private void refuseOther(HostSpec host, HostFollow.Identity found) {
    boolean lab = found.vendor().strip().equals(Origin.LAB_VENDOR);
    policy
        .basis()
        .host()
        .filter(measured -> !measured.equals(lab ? Origin.LAB_NAME : found.address()))
        .filter(measured -> !measured.equals(found.address()))
        .ifPresent(
            measured -> {
              throw SlicewiseException.input(
                  "policy %s was measured on %s, and this is %s"
                      .formatted(policy.name(), measured, host.address()),
                  "measure on this host, and make a policy from that");
            });
  }

  /** The experiment whose profiles may be set: those of the policy, at the site's host. */
  private Experiment followed() {
    Map<String, SchedulerProfile> profiles = new LinkedHashMap<>();
    profiles.put(SchedulerProfile.AS_FOUND.name(), SchedulerProfile.AS_FOUND);
    policy.bands().forEach(band -> profiles.put(band.profile(), policy.profile(band.profile())));
    comparison.ifPresent(ours -> profiles.put(policy.fixed(), policy.profile(policy.fixed())));
    return new Experiment(
        "follow-" + SchedulerProfile.fileName(policy.name()),
        new Testbed(
            site.host(),
            site.domains(),
            Optional.empty(),
            Generators.NONE,
            Optional.empty(),
            Watching.NONE),
        new Arms(new ArrayList<>(profiles.values()), SchedulerProfile.AS_FOUND.name(), List.of()),
        new WorkloadSpec("observe", Optional.empty(), Optional.empty(), Map.of()),
        List.of(Load.of(0)),
        new TrialCourse(
            1,
            Optional.empty(),
            Optional.empty(),
            Order.BLOCKS,
            1,
            new TrialParts(Duration.ZERO, Duration.ZERO, TICK, Duration.ZERO)),
        ValidityLimits.DEFAULT,
        Aim.NONE,
        Optional.empty());
  }

  private void follow(HostFollow host, Optional<Duration> limit) {
    Instant end = limit.map(clock.instant()::plus).orElse(Instant.MAX);
    heard = clock.instant();
    try (LoadSource source = LoadSource.of(policy, site, host, clock);
        FollowLog log = FollowLog.in(host.run().root())) {
      comparison.ifPresent(ours -> ours.begin(host.run().root()));
      listener.notice(begun(host));
      while (stop.wish() == StopRequest.Wish.GO_ON && clock.instant().isBefore(end)) {
        read(source, host, log);
        Instant now = clock.instant();
        noticeSilence(source, now);
        listener.status(status(now));
        stop.restUntil(now.plus(TICK));
      }
    }
  }

  private String begun(HostFollow host) {
    return "the settings stay as found until %s of the load are read; 'slicewise stop %s' ends it%s"
        .formatted(
            DurationText.of(policy.pace().window()),
            host.run().root(),
            comparison.map(ours -> "; " + ours.plan()).orElse(""));
  }

  private void read(LoadSource source, HostFollow host, FollowLog log) {
    Optional<LoadSource.Reading> next = source.next();
    while (next.isPresent()) {
      LoadSource.Reading reading = next.get();
      Optional<Change> change = choice.take(reading.at(), reading.load());
      comparison.ifPresent(ours -> ours.take(reading));
      heard = clock.instant();
      hear();
      set(host);
      if (change.isPresent()) {
        log.changed(change.get(), inForce);
        listener.changed(change.get());
      }
      next = source.next();
    }
    comparison.ifPresent(
        ours -> {
          if (choice.current().isPresent() && ours.turn(clock.instant())) {
            listener.compared(ours);
          }
        });
    set(host);
    noticeOutside();
  }

  /** Sets the profile that the band, or the comparison, asks for; verifies it now and then. */
  private void set(HostFollow host) {
    Optional<String> wanted =
        choice
            .current()
            .map(
                band ->
                    comparison.filter(Comparison::isFixed).isPresent()
                        ? policy.fixed()
                        : band.profile());
    boolean news = wanted.filter(profile -> !profile.equals(inForce)).isPresent();
    Duration pause = missing.isPresent() ? RETRY : news ? Duration.ZERO : CHECK;
    Instant now = clock.instant();
    if (wanted.isEmpty() || now.isBefore(verified.plus(pause))) {
      return;
    }
    Optional<String> why = host.keep(policy.profile(wanted.get()));
    verified = clock.instant();
    if (why.isEmpty()) {
      changes += news ? 1 : 0;
      inForce = wanted.get();
    } else if (!why.equals(missing)) {
      listener.notice(why.get() + "; it is set as soon as that runs");
    }
    missing = why;
  }

  private void hear() {
    if (silent) {
      silent = false;
      listener.notice("the load is read again");
    }
  }

  private void noticeSilence(LoadSource source, Instant now) {
    if (!silent && heard.plus(SILENCE).isBefore(now)) {
      silent = true;
      choice.forget();
      listener.notice(
          "no load has been read for %d s: %s; the settings stay"
              .formatted(SILENCE.toSeconds(), source.trouble()));
    }
  }

  private void noticeOutside() {
    boolean now =
        choice.current().isPresent()
            && (outside
                ? choice.mean() < lowest() || choice.mean() > highest()
                : choice.isBeyond(lowest(), highest()));
    if (now && !outside) {
      listener.notice(
          "%s is outside the measured loads (%s); the nearest band applies"
              .formatted(
                  policy.load().text(choice.mean()), policy.load().range(lowest(), highest())));
    }
    outside = now;
  }

  private double lowest() {
    return policy.bands().get(0).measuredFrom();
  }

  private double highest() {
    return policy.bands().get(policy.bands().size() - 1).measuredTo();
  }

  private Status status(Instant now) {
    return new Status(
        now, silent ? Double.NaN : choice.mean(), choice.current(), inForce, outside, changes);
  }

  /** The changes of band in {@code changes.csv}, each written when it is made. */
  private record FollowLog(Path file, BufferedWriter writer) implements AutoCloseable {
    /** Begins the log in a run directory. */
    static FollowLog in(Path directory) {
      Path file = directory.resolve("changes.csv");
      try {
        FollowLog log =
            new FollowLog(file, Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW));
        log.line("time,load,from_band,to_band,in_force");
        return log;
      } catch (IOException fault) {
        throw StorageFault.of("cannot write " + file, fault);
      }
    }

    /** Adds a change of band. */
    void changed(Change change, String inForce) {
      line(
          String.format(
              Locale.ROOT,
              "%s,%.3f,%s,%s,%s",
              change.at(),
              change.load(),
              change.from().map(Band::profile).orElse(""),
              change.to().profile(),
              inForce));
    }

    private void line(String text) {
      try {
        writer.write(text + "\n");
        writer.flush();
      } catch (IOException fault) {
        throw StorageFault.of("cannot write " + file, fault);
      }
    }

    @Override
    public void close() {
      try {
        writer.close();
      } catch (IOException fault) {
        throw StorageFault.of("cannot write " + file, fault);
      }
    }
  }
}
