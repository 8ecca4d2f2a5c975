package io.slicewise.load.spread;

import io.slicewise.load.spread.GeneratorPart.UserShare;
import io.slicewise.load.spread.SplitPlan.Shares;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a plan, and which part of them each generator gets. Rows of CSV data sets are cut
 * into contiguous parts, as the users are. What each user reads once in the order of users ({@code
 * __CSVRead}) is turned so that it begins with the generator's first user, and stays whole.
 *
 * @param copied files that each generator gets as they are, by their name in the plan
 * @param cut files of rows, by their name in the plan
 * @param turned files of one row a user, by their name in the plan
 * @param renamed properties whose value was the path of a file, with the file's name in the plan
 */
record PlanParts(
    Map<String, Path> copied,
    Map<String, Rows> cut,
    Map<String, Path> turned,
    Map<String, String> renamed) {
  /**
   * A file of rows.
   *
   * @param header whether its first row is one
   * @param set the data set that reads it
   * @param recycles whether the set begins again after the last row
   */
  record Rows(Path file, boolean header, String set, boolean recycles) {
    List<Integer> split(List<Integer> users) throws IOException {
      try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
        return Shares.split((int) lines.skip(header ? 1 : 0).count(), users);
      }
    }
  }

  PlanParts {
    copied = new TreeMap<>(copied);
    cut = new TreeMap<>(cut);
    turned = new TreeMap<>(turned);
    renamed = new TreeMap<>(renamed);
  }

  /**
   * Writes the files of one generator.
   *
   * @param shares of all generators with users
   * @return the files by their names in the plan
   */
  Map<String, Path> stage(List<Integer> shares, UserShare share, Path directory)
      throws IOException {
    Map<String, Path> staged = new LinkedHashMap<>(copied);
    for (Map.Entry<String, Rows> rows : cut.entrySet()) {
      List<String> all = new ArrayList<>(lines(rows.getValue().file()));
      List<String> part = new ArrayList<>();
      if (rows.getValue().header() && !all.isEmpty()) {
        part.add(all.remove(0));
      }
      List<Integer> parts = Shares.split(all.size(), shares);
      int first = parts.subList(0, share.generator()).stream().mapToInt(Integer::intValue).sum();
      part.addAll(all.subList(first, first + parts.get(share.generator())));
      staged.put(rows.getKey(), written(part, directory, staged.size()));
    }
    for (Map.Entry<String, Path> file : turned.entrySet()) {
      List<String> all = lines(file.getValue());
      int first = all.isEmpty() ? 0 : share.first() % all.size();
      List<String> turn = new ArrayList<>(all.subList(first, all.size()));
      turn.addAll(all.subList(0, first));
      staged.put(file.getKey(), written(turn, directory, staged.size()));
    }
    return staged;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
  }

  private static Path written(List<String> lines, Path directory, int number) throws IOException {
    return Files.write(directory.resolve("data-" + number), lines, StandardCharsets.ISO_8859_1);
  }
}
