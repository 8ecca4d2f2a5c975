package io.slicewise.host.groups;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorKind.GuestWatcher;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What others do to guests' groups within a window, by a look at every second: settings that
 * change, also those that are changed back, and processes that are moved into a group or out of
 * one. A process that a group's own processes start was moved nowhere.
 */
final class GroupChanges implements GuestWatcher {
  /** Prints a line for each change, with tabs, and one for each look. */
  private static final String PROGRAM =
      """
      function line(file, text) {
        text = ""
        if ((getline text < file) <= 0) text = ""
        close(file)
        return text
      }
      function alive(pid, text, fields) {
        text = line("/proc/" pid "/stat")
        sub(/^.*\\) /, "", text)
        split(text, fields, " ")
        began = fields[20] / 100
        return fields[1] != "" && fields[1] !~ /[ZXx]/
      }
      function group(pid, file, text, fields, found) {
        file = "/proc/" pid "/cgroup"
        found = "/"
        while ((getline text < file) > 0) {
          split(text, fields, ":")
          if ("," fields[2] "," ~ /,cpu,/ || (fields[1] == 0 && found == "/")) found = fields[3]
        }
        close(file)
        return found
      }
      function changed(kind, place, what, more) {
        print kind "\\t" place "\\t" what "\\t" more
      }
      BEGIN {
        files = split("%s", file, " ")
        for (trees = 1; trees < ARGC && ARGV[trees] != "--"; trees++) {
          quoted = ARGV[trees]
          gsub(/\\047/, "\\047\\\\\\047\\047", quoted)
          listing = listing " \\047" quoted "\\047"
        }
        listing = "find" listing " -name cgroup.procs 2>/dev/null"
        for (look = 1; ; look++) {
          split(line("/proc/uptime"), uptime, " ")
          split("", now)
          while ((listing | getline list) > 0) {
            owner = ""
            for (i = 1; i < trees; i++)
              if (index(list, ARGV[i] "/") == 1 && length(ARGV[i]) > length(owner)) owner = ARGV[i]
            while ((getline pid < list) > 0) now[pid] = owner
            close(list)
          }
          close(listing)
          if (look > 1) {
            for (pid in before)
              if (now[pid] != before[pid] && alive(pid) && began < last)
                changed("out", before[pid], pid, group(pid))
            for (pid in now)
              if (now[pid] != "" && now[pid] != before[pid] && alive(pid) && began < last - 1)
                changed("in", now[pid], pid, "")
          }
          for (i = 1; i < ARGC; i++)
            for (j = 1; j <= files; j++) {
              value = line(ARGV[i] "/" file[j])
              if (look > 1 && value != "" && value != old[i, j])
                changed("set", ARGV[i], file[j], old[i, j] "\\t" value)
              if (value != "") old[i, j] = value
            }
          split("", before)
          for (pid in now) if (now[pid] != "") before[pid] = now[pid]
          last = uptime[1]
          print "look"
          fflush()
          system("sleep 1")
        }
      }
      """
          .formatted(String.join(" ", Snapshot.SETTINGS));

  private final List<String> directories;
  private final Map<String, String> names;

  private GroupChanges(List<String> directories, Map<String, String> names) {
    this.directories = directories;
    this.names = names;
  }

  /** Finds the groups of these guests. */
  static GroupChanges of(RemoteShell shell, List<Domain> domains) {
    Trees trees = Trees.of(shell.address(), shell.run(Trees.READING).standardOutput());
    Map<String, Guest> listed = new Inventory(shell, trees).read().guests();
    List<String> directories = new ArrayList<>();
    List<String> cpusets = new ArrayList<>();
    Map<String, String> names = new LinkedHashMap<>();
    for (Domain domain : domains) {
      Optional.ofNullable(listed.get(domain.name()))
          .filter(guest -> domain.isSame(guest.domain()))
          .ifPresent(
              guest -> {
                directories.add(trees.cpu() + guest.path());
                trees
                    .cpuset()
                    .filter(tree -> !tree.equals(trees.cpu()) && !guest.cpuset().isEmpty())
                    .ifPresent(tree -> cpusets.add(tree + guest.path()));
                trees.roots().forEach(tree -> names.put(tree + guest.path(), guest.name()));
              });
    }
    directories.add("--");
    directories.addAll(cpusets);
    return new GroupChanges(directories, names);
  }

  @Override
  public String name() {
    return "awk";
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of("awk", PROGRAM));
    words.addAll(directories);
    return words;
  }

  @Override
  public Map<String, String> changes(String printed, List<Domain> domains) {
    Map<String, Map<String, String>> values = new LinkedHashMap<>();
    Map<String, Map<String, Integer>> moves = new LinkedHashMap<>();
    for (String line : printed.lines().toList()) {
      String[] fields = line.split("\t", -1);
      String name = fields.length < 4 ? null : names.get(fields[1]);
      if (name == null) {
        continue;
      }
      switch (fields[0]) {
        case "set" ->
            values
                .computeIfAbsent(name, any -> new TreeMap<>())
                .merge(
                    fields[2],
                    "%s, then %s".formatted(fields[3], fields[4]),
                    (before, next) -> before + ", then " + fields[4]);
        case "out" ->
            moves
                .computeIfAbsent(name, any -> new TreeMap<>())
                .merge("moved to " + fields[3], 1, Integer::sum);
        default ->
            moves
                .computeIfAbsent(name, any -> new TreeMap<>())
                .merge("moved into it", 1, Integer::sum);
      }
    }
    Map<String, String> clauses = new LinkedHashMap<>();
    names.values().stream()
        .distinct()
        .forEach(
            name -> {
              List<String> clause = new ArrayList<>();
              values
                  .getOrDefault(name, Map.of())
                  .forEach((file, seen) -> clause.add("%s was %s".formatted(file, seen)));
              moves
                  .getOrDefault(name, Map.of())
                  .forEach(
                      (where, count) ->
                          clause.add(
                              count == 1
                                  ? "a process was " + where
                                  : "%d processes were %s".formatted(count, where)));
              if (!clause.isEmpty()) {
                clauses.put(name, String.join(", ", clause));
              }
            });
    return clauses;
  }
}
