package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.GeneratorProcess;
import io.slicewise.load.generator.GeneratorProcess.GeneratorChannel;
import io.slicewise.load.generator.JavaCommand;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.Salvage;
import io.slicewise.load.generator.child.Generator;
import io.slicewise.load.generator.child.Wire;
import io.slicewise.load.jtl.CountProgram;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import io.slicewise.load.jtl.GeneratorSamples.SamplesThere;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShellException;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;

/** One generator's part of a load: its directory there, its process, its clock. */
final class GeneratorPart {
  /** What a lost generator had written, beside its logs. */
  static final String INCOMPLETE = "incomplete-" + Generator.SAMPLES;

  private final GeneratorHost host;
  private final LoadRequest whole;
  private final UserShare share;
  private String directory = "";
  private GeneratorProcess process;
  private ClockOffset clock = ClockOffset.NONE;
  private int cuts;
  private volatile boolean gone;
  private volatile boolean kept;
  private volatile boolean lost;
  private boolean closed;
  private boolean tidy;

  GeneratorPart(GeneratorHost host, LoadRequest whole, UserShare share) {
    this.host = host;
    this.whole = whole;
    this.share = share;
  }

  String name() {
    return host.machine().name();
  }

  UserShare share() {
    return share;
  }

  synchronized GeneratorProcess process() {
    return process;
  }

  /**
   * Copies the plan with its files and starts the JVM, which loads it.
   *
   * @param shares of all generators with users
   */
  synchronized void start(PlanParts plan, List<Integer> shares) {
    if (closed) {
      return;
    }
    GeneratorHost.Place place = host.place();
    directory = place.cache() + "/run-" + runName(whole.directory()) + "/" + trialName();
    host.freshDirectory(directory);
    LoadRequest request = share.request(whole, plan.renamed(), directory);
    try {
      Path staged = Files.createDirectories(whole.directory().resolve(host.machine().slug()));
      Path properties = staged.resolve(Generator.PROPERTIES);
      GeneratorProcess.writeProperties(request, properties);
      Path arguments =
          Files.writeString(staged.resolve("java-arguments"), arguments(request, place));
      host.send(whole.plan(), request.plan().toString());
      for (Map.Entry<String, Path> file : plan.stage(shares, share, staged).entrySet()) {
        host.sendInto(directory, file.getKey(), file.getValue());
        discard(staged, file.getValue());
      }
      host.send(properties, directory + "/" + Generator.PROPERTIES);
      host.send(arguments, directory + "/java-arguments");
      Files.delete(arguments);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "the files for generator %s cannot be written: %s".formatted(name(), fault),
          "check that the disk of this machine has room",
          fault);
    }
    Conversation conversation = host.start(directory);
    String there = directory;
    process =
        GeneratorProcess.follow(
            request,
            new RemoteChannel(name(), conversation, () -> gone = host.end(there)),
            () -> {});
  }

  /** Removes a part of a file after it was copied, but no file of the user. */
  private static void discard(Path staged, Path file) throws IOException {
    if (file.startsWith(staged)) {
      Files.delete(file);
    }
  }

  /** The run's directory here gives its directory there a name that no other run has. */
  static String runName(Path trial) {
    Path run = trial.toAbsolutePath().normalize().getParent();
    return UUID.nameUUIDFromBytes(
            (ManagementFactory.getRuntimeMXBean().getName().replaceFirst(".*@", "") + run)
                .getBytes(StandardCharsets.UTF_8))
        .toString();
  }

  private String trialName() {
    return whole.directory().getFileName().toString() + "-" + share.generator();
  }

  private String arguments(LoadRequest request, GeneratorHost.Place place) {
    List<String> words = new ArrayList<>();
    words.add("-cp");
    words.add(place.classPath());
    words.add("-Duser.timezone=" + TimeZone.getDefault().getID());
    List<String> command =
        JavaCommand.of(request, "run", host.machine().java(), place.cores()).words();
    words.addAll(command.subList(1, command.size()));
    return words.stream()
        .map(word -> "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
        .collect(Collectors.joining());
  }

  /** Measures the clock for the first time in a load, or of a window. */
  ClockOffset measureClock() {
    clock =
        host.machine().connection().isEmpty()
            ? ClockOffset.NONE
            : ClockMeasurement.of(name(), process);
    return clock;
  }

  /** Measures the clock again and returns it with its drift; the next window begins with it. */
  private ClockOffset clockUntilNow() {
    ClockOffset before = clock;
    return before.until(measureClock());
  }

  /** Sends a command for a time of this machine's clock. */
  void at(String command, Instant time) {
    process.send(Wire.at(command, time.plus(clock.ahead())));
  }

  /**
   * Completes the samples of a window.
   *
   * @param samples the file of the whole load, beside which this generator's is stored
   * @param stay whether they stay there
   * @return what fetches them
   */
  Supplier<GeneratorOutput> cut(Path samples, boolean stay) {
    ClockOffset its = clockUntilNow();
    String there = directory + "/cut-" + cuts++ + ".jtl.gz";
    GeneratorHealth health = Awaited.result(name(), process.cut(Path.of(there)));
    return () -> output(there, beside(samples), health, its, stay);
  }

  /**
   * Ends the users.
   *
   * @param stay whether the samples stay there
   * @return what fetches them
   */
  Supplier<GeneratorOutput> stop(boolean stay) {
    ClockOffset its = clockUntilNow();
    at(Wire.STOP, Instant.now());
    Awaited.result(name(), process.ended());
    GeneratorHealth health = process.health().join();
    Path local = beside(whole.directory().resolve(Generator.SAMPLES));
    return () -> output(directory + "/" + Generator.SAMPLES, local, health, its, stay);
  }

  private GeneratorOutput output(
      String there, Path local, GeneratorHealth health, ClockOffset its, boolean stay) {
    Optional<SamplesThere> staying = Optional.empty();
    if (stay && host.machine().connection().isPresent()) {
      kept = true;
      staying = Optional.of(new KeptSamples(host, directory, there));
    } else {
      host.fetch(there, local);
    }
    return new GeneratorOutput(name(), local, health, its, share.users(), staying);
  }

  private Path beside(Path samples) {
    String file = samples.getFileName().toString();
    int dot = file.indexOf('.');
    return samples.resolveSibling(
        file.substring(0, dot) + "-" + host.machine().slug() + file.substring(dot));
  }

  /** Marks the generator as lost: its samples become evidence, which is never reduced. */
  void lose() {
    lost = true;
  }

  /**
   * Ends all processes at the same time. Then keeps their logs, and the samples of a lost one, and
   * removes their directories there, except samples that stay; a machine that does not answer is
   * left alone until the next trial.
   */
  static void close(List<GeneratorPart> parts) {
    Awaited.all(parts, GeneratorPart::end);
    Awaited.all(Awaited.FETCHES, parts, GeneratorPart::tidied);
  }

  private synchronized boolean end() {
    closed = true;
    if (process != null) {
      if (process.failure().isPresent()) {
        lost = true;
      }
      process.kill();
    }
    return gone;
  }

  private synchronized boolean tidied() {
    if (gone && !tidy) {
      tidy = true;
      ifPossible(() -> keep("jmeter.log", "jmeter.log"));
      ifPossible(() -> keep("generator.log", "generator.log"));
      if (lost) {
        ifPossible(() -> Salvage.complete(keep(Generator.SAMPLES, INCOMPLETE)));
      }
      host.remove(directory, kept);
    }
    return tidy;
  }

  private Path keep(String there, String as) {
    Path here = whole.directory().resolve(host.machine().slug()).resolve(as);
    host.fetch(directory + "/" + there, here);
    return here;
  }

  private static void ifPossible(Runnable work) {
    try {
      work.run();
    } catch (SlicewiseException missing) {
      // A generator that could not start has no such file.
    }
  }

  /**
   * Samples that stay on their generator's machine.
   *
   * @param directory of their trial there
   * @param samples the file there
   */
  record KeptSamples(GeneratorHost host, String directory, String samples) implements SamplesThere {
    @Override
    public <T extends Serializable> T count(SampleCount<T> count) {
      String name = directory + "/count-" + UUID.randomUUID();
      try {
        Path scratch = Files.createTempDirectory("slicewise-count");
        try {
          Path asked = scratch.resolve("asked");
          CountProgram.write(count, asked);
          host.send(asked, name);
          host.run(directory, CountProgram.class.getName(), samples, name, name + "-found");
          Path found = scratch.resolve("found");
          host.fetch(name + "-found", found);
          host.remove(name, false);
          host.remove(name + "-found", false);
          return CountProgram.read(found, count.type());
        } finally {
          FileUtils.deleteQuietly(scratch.toFile());
        }
      } catch (IOException fault) {
        throw new SlicewiseException(
            ErrorKind.STORAGE,
            "the samples of generator %s cannot be counted there: %s"
                .formatted(host.machine().name(), fault.getMessage()),
            "check that the disk of this machine has room",
            fault);
      }
    }
  }

  /** A generator's process on its machine, through the channel of its command. */
  static final class RemoteChannel implements GeneratorChannel {
    private static final Duration TICK = Duration.ofSeconds(1);

    private final String generator;
    private final Conversation conversation;
    private final Runnable endThere;
    private volatile Optional<RemoteShellException> end = Optional.empty();
    private volatile boolean killed;

    /**
     * @param endThere ends the process with another command, because closing a channel only asks
     *     for it
     */
    RemoteChannel(String generator, Conversation conversation, Runnable endThere) {
      this.generator = generator;
      this.conversation = conversation;
      this.endThere = endThere;
    }

    @Override
    public void follow(Consumer<String> lines) {
      try {
        while (!killed) {
          conversation.next(TICK).map(Conversation.Line::text).ifPresent(lines);
        }
      } catch (RemoteShellException ended) {
        end = Optional.of(ended);
      }
    }

    @Override
    public void send(String line) throws IOException {
      try {
        conversation.say(line);
      } catch (RemoteShellException ended) {
        throw new IOException(ended.getMessage(), ended);
      }
    }

    @Override
    public boolean isAlive() {
      return end.isEmpty() && !killed;
    }

    @Override
    public void kill() {
      killed = true;
      conversation.close();
      endThere.run();
    }

    @Override
    public String describeEnd() {
      return "the JVM of generator %s ended unexpectedly".formatted(generator);
    }
  }

  /**
   * One generator's users.
   *
   * @param generator its number among those with users, from 0
   * @param generators with users
   * @param first the number of its first user, from 0
   * @param users that it runs
   */
  record UserShare(int generator, int generators, int first, int users) {
    /** The rate that a plan reads itself. */
    static final String RATE = "rate";

    /**
     * Returns the generator's own request, whose files are in a directory of its machine.
     *
     * @param renamed properties that name a file, with its name below that directory
     */
    LoadRequest request(LoadRequest whole, Map<String, String> renamed, String directory) {
      Map<String, String> properties = new LinkedHashMap<>(whole.properties());
      renamed.forEach((name, file) -> properties.put(name, directory + "/" + file));
      for (String key : List.of(RATE, LoadRequest.RATE)) {
        properties.computeIfPresent(key, (name, rate) -> part(rate, users, whole.users()));
      }
      properties.put("slicewise.generator", Integer.toString(generator));
      properties.put("slicewise.generators", Integer.toString(generators));
      properties.put("slicewise.first-user", Integer.toString(first));
      return new LoadRequest(
          Path.of(directory, whole.plan().getFileName().toString()),
          users,
          Math.toIntExact(((long) whole.population() * users + whole.users() - 1) / whole.users()),
          whole.ramp(),
          whole.longest(),
          properties,
          whole.secrets(),
          Path.of(directory));
    }

    /** Independent Poisson streams add up to one, so the rate is split as the users are. */
    static String part(String rate, int users, int all) {
      try {
        return new BigDecimal(rate.strip())
            .multiply(BigDecimal.valueOf(users))
            .divide(BigDecimal.valueOf(all), MathContext.DECIMAL64)
            .toPlainString();
      } catch (NumberFormatException notANumber) {
        return rate;
      }
    }

    /** Returns how much later this generator starts, so that all users start evenly. */
    Duration later(LoadRequest whole) {
      return whole.ramp().multipliedBy(generator).dividedBy(whole.users());
    }
  }
}
