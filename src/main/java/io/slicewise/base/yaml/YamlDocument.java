package io.slicewise.base.yaml;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A YAML file as a tree of values with their lines. Aliases of anchors are rejected: their values
 * have no single line, and nested ones can grow without bound.
 */
public final class YamlDocument {
  /** The most lists and maps inside each other; ours have six. */
  private static final int DEEPEST = 40;

  private YamlDocument() {}

  /** Reads the root of a file; empty, with errors added, if it is not valid YAML. */
  public static Optional<YamlValue> read(Path file, Faults faults) {
    String name = file.normalize().toString();
    try {
      return parse(name, InputFile.text(file, InputFile.CONFIGURATION), faults);
    } catch (NoSuchFileException e) {
      faults.add(name, 0, "there is no such file");
    } catch (CharacterCodingException e) {
      faults.add(name, 0, "is not UTF-8 text");
    } catch (IOException e) {
      faults.add(name, 0, "cannot be read: " + FileFault.reason(e));
    }
    return Optional.empty();
  }

  /**
   * Reads the map at the root of a file that another one names. Until it has the key that files of
   * its kind begin with, faults quote nothing of it.
   */
  public static Optional<YamlMap> readNamed(Path file, String key, Faults faults) {
    String name = file.normalize().toString();
    faults.distrust(name);
    Optional<YamlMap> map =
        read(file, faults)
            .flatMap(root -> root.map(List.of(key), ""))
            .filter(top -> top.required(key).isPresent());
    map.ifPresent(top -> faults.know(name));
    return map;
  }

  /** Returns plain values that were read before, without lines. */
  public static YamlValue of(String name, Map<String, Object> plain, Faults faults) {
    return new YamlValue(name, name, "", new Yaml().represent(plain), faults);
  }

  /** Parses the root of a text; messages call it {@code name}. */
  public static Optional<YamlValue> parse(String name, String text, Faults faults) {
    Yaml yaml = new Yaml(new LoaderOptions());
    try {
      int depth = 0;
      for (Event event : yaml.parse(new StringReader(text))) {
        depth += event instanceof CollectionStartEvent ? 1 : 0;
        depth -= event instanceof CollectionEndEvent ? 1 : 0;
        String fault = "";
        if (event instanceof AliasEvent alias) {
          fault =
              "alias%s is not supported; write the value out"
                  .formatted(faults.mayQuote(name) ? " *" + alias.getAnchor() : "");
        } else if (depth > DEEPEST) {
          fault = "lists and maps are nested more than %d deep".formatted(DEEPEST);
        }
        if (!fault.isEmpty()) {
          faults.add(name, event.getStartMark().getLine() + 1, fault);
          return Optional.empty();
        }
      }
      Node root = yaml.compose(new StringReader(text));
      if (root == null) {
        faults.add(name, 0, "is empty");
        return Optional.empty();
      }
      return Optional.of(new YamlValue(name, "the file", "", root, faults));
    } catch (MarkedYAMLException e) {
      boolean tab = String.valueOf(e.getProblem()).contains("\\t(TAB)");
      faults.add(
          name,
          e.getProblemMark().getLine() + 1,
          tab
              ? "is indented with a tab, which YAML does not allow: use spaces"
              : "is not YAML" + why(name, e.getProblem(), faults));
    } catch (YAMLException e) {
      faults.add(name, 0, "is not YAML" + why(name, e.getMessage(), faults));
    }
    return Optional.empty();
  }

  private static String why(String name, String problem, Faults faults) {
    return faults.mayQuote(name) ? ": " + problem : "";
  }
}
