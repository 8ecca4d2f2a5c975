package io.slicewise.sweep.policy;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlDocument;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.policy.Policy.Band;
import io.slicewise.sweep.policy.Policy.Basis;
import io.slicewise.sweep.policy.Policy.Pace;
import io.slicewise.sweep.policy.Policy.Proof;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes policy files. */
public final class PolicyFile {
  private static final String HINT = "docs/follow.md describes policy files";
  private static final Quantity.Time TIME =
      new Quantity.Time(Duration.ofSeconds(1), Duration.ofHours(24));
  private static final OptionKind LOAD = new Amount();

  private static final OptionKind MEASURED =
      new OptionKind.Group(
          List.of(
              Option.needed("from", LOAD, "the lowest load that was measured"),
              Option.needed("to", LOAD, "the highest load that was measured")));

  private static final OptionKind BAND =
      new OptionKind.Group(
          List.of(
              Option.needed("from", LOAD, "where the band begins; the first one at 0"),
              Option.optional("to", LOAD, "where it ends; the last one has no end"),
              Option.needed("measured", MEASURED, "the loads at which its profile was measured"),
              Option.needed("profile", new OptionKind.Text(), "one of 'profiles', or as-found"),
              Option.optional("gain", new OptionKind.Text(), "why it is chosen")));

  private static final OptionKind PROOF =
      new OptionKind.Group(
          List.of(
              Option.needed("run", new OptionKind.Text(), "the comparison, made by 'follow'"),
              Option.needed("against", new OptionKind.Text(), "the fixed profile"),
              Option.needed("pairs", new OptionKind.Whole(1, 1_000_000), "of windows"),
              Option.needed(
                  "percent", new Amount(), "the change of the geometric mean of response times"),
              Option.needed("low", new Amount(), "the lower end of its 95 % interval"),
              Option.needed("high", new Amount(), "the upper end of its 95 % interval")));

  /** The keys of the file. */
  public static final List<Option> KEYS =
      List.of(
          Option.needed("policy", new OptionKind.Text(), "its name"),
          Option.needed(
              "load",
              new OptionKind.Shaped(LoadMetric.PATTERN, LoadMetric.RULE),
              "what is followed: requests/s, or 'run share of DOMAIN' in percent"),
          Option.optional(
              "host", new OptionKind.Text(), "the host of the runs; absent if they were simulated"),
          Option.needed(
              "runs", new OptionKind.Many(new OptionKind.Text(), 1, 100), "where it comes from"),
          Option.withDefault(
              "hysteresis",
              new Quantity.Percentage(),
              PercentText.of(Pace.DEFAULT.hysteresis()),
              "how far beyond an edge the load must be to change the settings"),
          Option.withDefault(
              "stay",
              TIME,
              DurationText.of(Pace.DEFAULT.stay()),
              "the least time between two changes"),
          Option.withDefault(
              "window",
              TIME,
              DurationText.of(Pace.DEFAULT.window()),
              "over which the load is averaged"),
          Option.needed("bands", new OptionKind.Many(BAND, 1, 20), "in ascending order"),
          Option.needed(
              "profiles", new OptionKind.Many(new Inline(), 0, 100), "the settings of the bands"),
          Option.needed(
              "measured-settings",
              new OptionKind.Text(),
              "identifies 'profiles' as measured, so that edited ones are refused"),
          Option.needed(
              "fixed",
              new OptionKind.Text(),
              "the best profile for all loads alike, to compare with"),
          Option.optional("proof", PROOF, "the comparison in which the policy was better"));

  private PolicyFile() {}

  /** A number of any sign. */
  private record Amount() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("type", "number");
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      if (value.plain() instanceof Number number && Double.isFinite(number.doubleValue())) {
        return Optional.of(number.doubleValue());
      }
      value.refuse("must be a number");
      return Optional.empty();
    }
  }

  /** A profile as in an experiment file. */
  private record Inline() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of("$ref", "#/definitions/inline-profile");
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      Optional<YamlMap> map = value.map(ProfileFiles.inlineKeys(), " of profiles");
      return map.flatMap(
          profile ->
              profile
                  .required("name")
                  .flatMap(YamlValue::text)
                  .map(name -> ProfileFiles.inline(name, profile)));
    }
  }

  /**
   * Returns the policy of a file.
   *
   * @throws SlicewiseException of the kind {@code INPUT} with one line per fault, all of them at
   *     once
   */
  public static Policy read(Path file) {
    Faults faults = new Faults();
    Optional<YamlMap> map =
        YamlDocument.read(file, faults).flatMap(root -> root.map(Option.names(KEYS), ""));
    Optional<Options> options = map.map(top -> new Options(Option.readAll(KEYS, top, file, true)));
    faults.throwIfAny(HINT);
    Policy policy = policy(options.orElseThrow());
    check(policy, options.get(), map.orElseThrow());
    faults.throwIfAny(HINT);
    return policy;
  }

  private static Policy policy(Options read) {
    return new Policy(
        read.text("policy").orElseThrow(),
        LoadMetric.parse(read.text("load").orElseThrow()),
        new Basis(read.text("host"), read.many("runs", String.class)),
        new Pace(read.share("hysteresis"), read.time("stay"), read.time("window")),
        read.groups("bands").stream().map(PolicyFile::band).toList(),
        read.many("profiles", SchedulerProfile.class),
        read.text("fixed").orElseThrow(),
        read.group("proof").map(PolicyFile::proof));
  }

  private static Band band(Options read) {
    Options measured = read.group("measured").orElseThrow();
    return new Band(
        read.number("from"),
        read.has("to") ? read.number("to") : Double.POSITIVE_INFINITY,
        measured.number("from"),
        measured.number("to"),
        read.text("profile").orElseThrow(),
        read.text("gain"));
  }

  private static Proof proof(Options read) {
    return new Proof(
        read.text("run").orElseThrow(),
        read.text("against").orElseThrow(),
        read.integer("pairs"),
        read.number("percent"),
        read.number("low"),
        read.number("high"));
  }

  private static void check(Policy policy, Options read, YamlMap map) {
    edges(policy).forEach(fault -> map.fault("bands", fault));
    List<String> known = policy.profiles().stream().map(SchedulerProfile::name).toList();
    for (Band band : policy.bands()) {
      if (!isKnown(known, band.profile())) {
        map.fault(
            "bands",
            "the band from %s has profile %s, which 'profiles' does not have; it has %s"
                .formatted(
                    policy.load().text(band.from()), band.profile(), String.join(", ", known)));
      }
    }
    Duration shortest = policy.load().shortestWindow();
    if (policy.pace().window().compareTo(shortest) < 0) {
      map.fault(
          "window",
          "window is %s, which has fewer than %d readings of the %s; it is at least %s"
              .formatted(
                  DurationText.of(policy.pace().window()),
                  LoadMetric.FEWEST,
                  policy.load(),
                  DurationText.of(shortest)));
    }
    if (!isKnown(known, policy.fixed())) {
      map.fault(
          "fixed",
          "fixed is %s, which 'profiles' does not have; it has %s"
              .formatted(policy.fixed(), String.join(", ", known)));
    }
    if (!read.text("measured-settings").orElse("").equals(identify(policy.profiles()))) {
      map.fault(
          "profiles",
          "profiles are not those that were measured: they were edited; measure the new ones, or"
              + " make the policy again");
    }
  }

  private static boolean isKnown(List<String> profiles, String name) {
    return name.equals(SchedulerProfile.AS_FOUND.name()) || profiles.contains(name);
  }

  private static List<String> edges(Policy policy) {
    List<String> faults = new ArrayList<>();
    LoadMetric load = policy.load();
    double end = 0;
    boolean open = false;
    for (Band band : policy.bands()) {
      if (open) {
        faults.add(
            "the band before the one from %s has no 'to'; only the last one has no end"
                .formatted(load.text(band.from())));
        return faults;
      }
      if (band.from() > end) {
        faults.add(
            "bands leave a gap from %s; a band begins where the one before ends"
                .formatted(load.range(end, band.from())));
      } else if (band.from() < end) {
        faults.add(
            "bands overlap from %s; a band begins where the one before ends"
                .formatted(load.range(band.from(), end)));
      }
      if (band.to() <= band.from()) {
        faults.add(
            "the band from %s ends at %s, which is not above its begin"
                .formatted(load.text(band.from()), load.text(band.to())));
      }
      end = band.to();
      open = Double.isInfinite(end);
    }
    if (!open) {
      faults.add(
          "the last band ends at %s; leave its 'to' out, so that every load has a band"
              .formatted(load.text(end)));
    }
    return faults;
  }

  /** Returns what identifies the settings of a policy, whatever its pace and its proof. */
  public static String identify(Policy policy) {
    return policy.bands().stream().map(band -> yaml(band).map()).toList()
        + identify(policy.profiles());
  }

  /** Returns what identifies the settings of profiles. */
  private static String identify(List<SchedulerProfile> profiles) {
    String text = profiles.stream().map(ProfileFiles::toYaml).toList().toString();
    return HexFormat.of().formatHex(Sha256.of(text), 0, 8);
  }

  /** Writes a policy to a file. */
  public static void write(Path file, Policy policy) {
    try {
      WholeFile.write(file, text(policy));
    } catch (IOException fault) {
      throw SlicewiseException.input(
          file + " cannot be written: " + FileFault.reason(fault), "choose another file");
    }
  }

  /** Returns the text of the file, with comments. */
  public static String text(Policy policy) {
    StringBuilder text = new StringBuilder();
    text.append("# Settings that follow the load; docs/follow.md describes this file.\n");
    text.append(
        policy.isFixed()
            ? "# One band: no load is shown to need other settings than another one.\n"
            : "# 'slicewise follow' sets the profile of the band in which the load is.\n");
    text.append(head(policy).text()).append(pace(policy.pace()).text());
    text.append("# Loads in ").append(policy.load().unit());
    text.append("; edges are halfway between measured loads.\n");
    List<YamlWriter> bands = policy.bands().stream().map(PolicyFile::yaml).toList();
    text.append(new YamlWriter().put("bands", bands).text());
    text.append("# As measured. An edited profile is refused.\n");
    List<Map<String, Object>> profiles =
        policy.profiles().stream().map(ProfileFiles::toYaml).toList();
    text.append(
        new YamlWriter()
            .put("profiles", profiles)
            .put("measured-settings", identify(policy.profiles()))
            .put("fixed", policy.fixed())
            .text());
    policy.proof().ifPresent(proof -> text.append(yaml(proof).text()));
    return text.toString();
  }

  private static YamlWriter head(Policy policy) {
    return new YamlWriter()
        .put("policy", policy.name())
        .put("load", policy.load())
        .put("host", policy.basis().host())
        .put("runs", policy.basis().runs());
  }

  private static YamlWriter pace(Pace pace) {
    return new YamlWriter()
        .share("hysteresis", pace.hysteresis())
        .put("stay", pace.stay())
        .put("window", pace.window());
  }

  private static YamlWriter yaml(Band band) {
    return new YamlWriter()
        .put("from", band.from())
        .put("to", Optional.of(band.to()).filter(Double::isFinite))
        .put("measured", OptionKind.ordered("from", band.measuredFrom(), "to", band.measuredTo()))
        .put("profile", band.profile())
        .put("gain", band.gain());
  }

  private static YamlWriter yaml(Proof proof) {
    YamlWriter written =
        new YamlWriter()
            .put("run", proof.run())
            .put("against", proof.against())
            .put("pairs", proof.pairs())
            .put("percent", proof.percent())
            .put("low", proof.low())
            .put("high", proof.high());
    return new YamlWriter().put("proof", written);
  }
}
