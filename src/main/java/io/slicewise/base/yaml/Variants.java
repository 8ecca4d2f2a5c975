package io.slicewise.base.yaml;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A map in which lists are choices: finds them, and makes the map of each choice. Values keep their
 * lines, so that a fault of one variant names the place in the file.
 */
public final class Variants {
  private final String file;
  private final String whose;
  private final Faults faults;
  private final Node node;
  private final List<Choice> choices = new ArrayList<>();

  Variants(String file, String whose, Node node, Faults faults) {
    this.file = file;
    this.whose = whose;
    this.node = node;
    this.faults = faults;
    find(node, List.of());
  }

  /**
   * A list inside the map.
   *
   * @param path the keys that lead to it
   */
  public record Choice(List<String> path, YamlValue list) {
    public Choice {
      path = List.copyOf(path);
    }
  }

  /** Returns the lists in the order written. */
  public List<Choice> choices() {
    return List.copyOf(choices);
  }

  private void find(Node place, List<String> path) {
    if (place instanceof SequenceNode) {
      String owner = path.size() > 1 ? " of " + path.get(path.size() - 2) : whose;
      String key = path.isEmpty() ? "" : path.get(path.size() - 1);
      choices.add(new Choice(path, new YamlValue(file, key, owner, place, faults)));
    } else if (place instanceof MappingNode map) {
      for (NodeTuple tuple : map.getValue()) {
        find(tuple.getValueNode(), Stream.concat(path.stream(), key(tuple).stream()).toList());
      }
    }
  }

  private List<String> key(NodeTuple tuple) {
    return tuple.getKeyNode() instanceof ScalarNode scalar ? List.of(scalar.getValue()) : List.of();
  }

  /**
   * Returns the map with one item in place of each list.
   *
   * @param items the item of each choice, from 0
   * @param known the keys that it may have
   * @param without a key that is left out
   */
  public YamlMap with(List<Integer> items, List<String> known, String without) {
    MappingNode map = (MappingNode) chosen(node, items.iterator());
    List<NodeTuple> kept =
        map.getValue().stream().filter(tuple -> !key(tuple).equals(List.of(without))).toList();
    YamlMap variant =
        YamlMap.of(
            file,
            whose,
            new MappingNode(
                map.getTag(), true, kept, map.getStartMark(), map.getEndMark(), map.getFlowStyle()),
            faults);
    variant.refuseUnknown(known);
    return variant;
  }

  private static Node chosen(Node place, Iterator<Integer> items) {
    if (place instanceof SequenceNode list) {
      return list.getValue().get(items.next());
    }
    if (place instanceof MappingNode map) {
      List<NodeTuple> tuples = new ArrayList<>();
      for (NodeTuple tuple : map.getValue()) {
        tuples.add(new NodeTuple(tuple.getKeyNode(), chosen(tuple.getValueNode(), items)));
      }
      return new MappingNode(
          map.getTag(), true, tuples, map.getStartMark(), map.getEndMark(), map.getFlowStyle());
    }
    return place;
  }
}
