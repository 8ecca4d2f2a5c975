package io.slicewise.load.generator;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;

/**
 * A JMeter plan file: which properties it reads, and whether JMeter can load it.
 *
 * @param properties by name, with the plan's own default; empty where the plan has none. Recognized
 *     are {@code ${__P(name,default)}}, {@code ${__property(name,,default)}} and {@code
 *     props.get("name")} in scripts, but not computed names.
 * @param servers that its HTTP elements name themselves, instead of reading a property or variable
 */
public record PlanFile(Path path, Map<String, Optional<String>> properties, Set<String> servers) {
  private static final Duration LOAD_LIMIT = Duration.ofSeconds(90);
  private static final String NAME = "\\s*([^,)$]+?)\\s*";
  private static final Pattern SHORT = Pattern.compile("\\$\\{__P\\(" + NAME + "(?:,([^)]*))?\\)");
  private static final Pattern LONG =
      Pattern.compile("\\$\\{__property\\(" + NAME + "(?:,[^,)]*(?:,([^)]*))?)?\\)");
  private static final Pattern SERVER =
      Pattern.compile(
          "name=\"HTTPSampler\\.(?:domain\">\\s*|path\">\\s*https?://)([^\\s/:<$]+)(?=[\\s/:<])");
  private static final Pattern SCRIPT =
      Pattern.compile("props\\.get(?:Property)?\\(\\s*(?:\"|&quot;|')([^\"'&]+)(?:\"|&quot;|')()");

  public PlanFile {
    properties = Map.copyOf(properties);
    servers = Collections.unmodifiableSet(new TreeSet<>(servers));
  }

  /**
   * Reads the file as text and not with JMeter: fast and without side effects.
   *
   * @throws SlicewiseException if it cannot be read
   */
  public static PlanFile read(Path path) {
    try {
      String text = InputFile.text(path, InputFile.LISTS);
      Map<String, Optional<String>> found = new TreeMap<>();
      for (Pattern pattern : List.of(SHORT, LONG, SCRIPT)) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
          Optional<String> value =
              Optional.ofNullable(matcher.group(2)).map(String::strip).filter(s -> !s.isEmpty());
          found.merge(matcher.group(1), value, (one, other) -> one.isPresent() ? one : other);
        }
      }
      return new PlanFile(
          path,
          found,
          SERVER
              .matcher(text)
              .results()
              .map(server -> server.group(1))
              .collect(Collectors.toSet()));
    } catch (IOException fault) {
      throw SlicewiseException.input(
          "plan " + path + " cannot be read: " + FileFault.reason(fault), "", fault);
    }
  }

  /**
   * Returns the names that the plan does not read, sorted. Names with dots are excluded: JMeter
   * itself and its plug-ins read them.
   */
  public List<String> ignored(Collection<String> given) {
    return given.stream().filter(name -> !reads(name) && !name.contains(".")).sorted().toList();
  }

  /** Whether the plan reads a property. */
  public boolean reads(String property) {
    return properties.containsKey(property);
  }

  /**
   * Loads the plan in a generator's JVM without running it: takes about two seconds and sends
   * nothing.
   *
   * @param secrets properties that are in no file
   * @return why it cannot be loaded, in one sentence; empty if it can
   */
  public Optional<String> complaint(Map<String, String> given, Map<String, Secret> secrets) {
    try {
      Path directory = Files.createTempDirectory("slicewise-plan");
      LoadRequest request =
          new LoadRequest(
              path.toAbsolutePath(), 1, 1, Duration.ZERO, LOAD_LIMIT, given, secrets, directory);
      GeneratorProcess process = GeneratorProcess.start(request, "check");
      try {
        GeneratorProcess.await(process.ready(), LOAD_LIMIT);
        return Optional.empty();
      } catch (SlicewiseException fault) {
        return Optional.of(fault.getMessage());
      } catch (TimeoutException late) {
        return Optional.of("plan " + path + " was not loaded in " + LOAD_LIMIT.toSeconds() + " s");
      } finally {
        process.kill();
        FileUtils.deleteQuietly(directory.toFile());
      }
    } catch (IOException fault) {
      return Optional.of(
          "no temporary directory could be created to load the plan: " + FileFault.reason(fault));
    }
  }
}
