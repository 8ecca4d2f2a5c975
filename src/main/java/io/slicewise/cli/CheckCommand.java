package io.slicewise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.analysis.PublishedCheck;
import io.slicewise.analysis.RunCheck;
import io.slicewise.analysis.StudyTable;
import io.slicewise.analysis.Violation;
import io.slicewise.json.Json;
import io.slicewise.report.Wrap;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise check}: runs and studies' tables against physics and against themselves. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what cannot be: shares that do not add up, rates that break Little's law, caps that"
          + " did not hold, guests that stand idle under load, generators short of CPU, cells with"
          + " a run missing, intervals with the wrong n. Changes nothing."
    })
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR|FILE",
      description =
          "Run directories, made here or imported, whose trials are judged once more; CSV tables"
              + " with the columns profile, users, metric, vm, mean, stddev, ci95_half_width; of"
              + " another directory, those of its CSV files that have them.")
  private List<Path> paths;

  @Mixin private OutputOptions output;

  /** What was found in one run or table. */
  record Checked(String what, List<Numbered> violations) {}

  /**
   * A violation with its number in the list.
   *
   * @param number from 1, over everything that was checked
   */
  record Numbered(int number, Violation violation) {}

  @Override
  public Integer call() {
    List<Checked> checked = new ArrayList<>();
    int number = 0;
    for (Path path : paths) {
      for (Map.Entry<Path, List<Violation>> entry : violations(path).entrySet()) {
        List<Numbered> numbered = new ArrayList<>();
        for (Violation violation : entry.getValue()) {
          numbered.add(new Numbered(++number, violation));
        }
        checked.add(new Checked(entry.getKey().toString(), List.copyOf(numbered)));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      printJson(out, checked);
    } else {
      checked.forEach(one -> print(out, one));
    }
    out.flush();
    boolean sound =
        checked.stream()
            .flatMap(one -> one.violations().stream())
            .noneMatch(one -> one.violation().serious());
    return (sound ? ExitCode.OK : ExitCode.RULES_BROKEN).code();
  }

  private Map<Path, List<Violation>> violations(Path path) {
    Map<Path, List<Violation>> found = new LinkedHashMap<>();
    if (Files.exists(path.resolve("experiment.yaml"))) {
      found.put(path, RunCheck.violations(RunDirectory.open(path)));
      return found;
    }
    for (Path table : tables(path)) {
      found.put(table, PublishedCheck.violations(StudyTable.read(table)));
    }
    return found;
  }

  private List<Path> tables(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> files = csvFiles(path);
    List<Path> inside = files.stream().filter(StudyTable::recognises).toList();
    if (inside.isEmpty()) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          path + " is no run directory and holds no CSV table that can be checked",
          "a table has the columns profile, users, metric, vm, mean, stddev, ci95_half_width");
    }
    tellUnchecked(files.stream().filter(file -> !inside.contains(file)).toList());
    return inside;
  }

  private void tellUnchecked(List<Path> others) {
    if (!others.isEmpty()) {
      String names =
          others.stream()
              .map(Path::getFileName)
              .map(Path::toString)
              .collect(Collectors.joining(", "));
      PrintWriter err = spec.commandLine().getErr();
      Wrap.lines("not checked, for want of the columns: " + names, "", "  ", Wrap.WIDTH)
          .forEach(err::println);
      err.flush();
    }
  }

  private static List<Path> csvFiles(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE, directory + " cannot be listed: " + e.getMessage(), "", e);
    }
  }

  private static void printJson(PrintWriter out, List<Checked> checked) {
    try {
      out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(checked));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void print(PrintWriter out, Checked checked) {
    out.printf(Locale.ROOT, "CHECK  %s   %s%n", checked.what(), count(checked.violations().size()));
    Map<String, List<Numbered>> byRule = new LinkedHashMap<>();
    for (Numbered one : checked.violations()) {
      byRule.computeIfAbsent(one.violation().rule(), rule -> new ArrayList<>()).add(one);
    }
    byRule.values().forEach(found -> printRule(out, found));
  }

  private static void printRule(PrintWriter out, List<Numbered> found) {
    Violation first = found.get(0).violation();
    out.printf(
        Locale.ROOT, "%n%-13s %s: %s%n", first.rule(), first.statement(), count(found.size()));
    Map<String, List<Numbered>> byCause = new LinkedHashMap<>();
    found.forEach(
        one ->
            byCause
                .computeIfAbsent(one.violation().likelyCause(), cause -> new ArrayList<>())
                .add(one));
    byCause.forEach(
        (cause, same) -> {
          if (!cause.isEmpty()) {
            Wrap.lines(cause, "  likely: ", "          ", Wrap.WIDTH).forEach(out::println);
          }
          same.forEach(one -> printOne(out, one));
        });
  }

  private static void printOne(PrintWriter out, Numbered one) {
    Violation violation = one.violation();
    String text =
        place(violation.place())
            + "  "
            + (violation.serious() ? "" : "in doubt: ")
            + violation.message();
    String number = String.format(Locale.ROOT, "%5d  ", one.number());
    Wrap.lines(text, number, "       ", Wrap.WIDTH).forEach(out::println);
  }

  /** Of a file's line the line alone, since the file stands above. */
  private static String place(String place) {
    int colon = place.lastIndexOf(':');
    return colon < 0 ? place : "line " + place.substring(colon + 1);
  }

  private static String count(int findings) {
    return findings == 0 ? "nothing found" : findings == 1 ? "1 finding" : findings + " findings";
  }
}
