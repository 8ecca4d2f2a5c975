package io.slicewise.cli.commands;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.published.PublishedTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The published tables that belong to a study. */
record StudyTables(Map<Path, List<PublishedNumber>> files) {
  private static final String COLUMNS =
      "A table needs the columns metric, unit, value and system or layer; leave the value of a"
          + " number that was not printed empty. See docs/check.md.";

  /**
   * Reads tables, and keeps the files that belong to the study.
   *
   * @param paths CSV tables, or directories of them
   * @param wanted whether the numbers of a file belong to it
   * @param needed what such a file has, for the message
   * @throws SlicewiseException with all faults, if a file cannot be read, or none belongs to it
   */
  static StudyTables read(
      List<Path> paths, Predicate<List<PublishedNumber>> wanted, String needed) {
    Map<Path, List<PublishedNumber>> kept = new LinkedHashMap<>();
    List<String> faults = new ArrayList<>();
    for (Path file : paths.stream().flatMap(path -> csvFiles(path, faults)).distinct().toList()) {
      try {
        List<PublishedNumber> numbers = PublishedNumber.read(List.of(file));
        if (wanted.test(numbers)) {
          kept.put(file, numbers);
        }
      } catch (SlicewiseException fault) {
        faults.add(fault.getMessage());
      }
    }
    if (faults.isEmpty() && kept.isEmpty()) {
      faults.add("no table has " + needed);
    }
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(String.join("\n", faults), COLUMNS);
    }
    return new StudyTables(kept);
  }

  private static Stream<Path> csvFiles(Path path, List<String> faults) {
    if (!Files.isDirectory(path)) {
      return Stream.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".csv")).sorted().toList().stream();
    } catch (IOException e) {
      faults.add(path + " cannot be listed: " + FileFault.reason(e));
      return Stream.empty();
    }
  }

  /** Returns the numbers of all files. */
  List<PublishedNumber> numbers() {
    return files.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the tables with their derived cells checked. */
  List<PublishedTables.Table> checked() {
    return PublishedTables.check(List.copyOf(files.keySet()));
  }
}
