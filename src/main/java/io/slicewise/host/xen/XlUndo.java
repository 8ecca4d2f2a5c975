package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Reading;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The undo of a setting with {@code xl}. A domain is named by its domid, which no other domain gets
 * before the host reboots. {@code xm} and sEDF, whose listings round, have none.
 */
record XlUndo(Tool tool, Dialect dialect) {
  private static final long NANOS_A_MICRO = 1_000;

  Optional<Undo> of(Domain domain, SchedulerParameters found) {
    if (!dialect.name().equals("xl")) {
      return Optional.empty();
    }
    String id = Integer.toString(domain.id());
    return rows(domain, found)
        .map(
            rows ->
                new Undo(
                    domain.name(),
                    new Reading(reading(List.of("list", id)), List.of(row(id))),
                    dialect.set(domain, id, found).stream().map(tool::changing).toList(),
                    List.of(new Reading(reading(listing(found, id)), rows))));
  }

  private static List<String> listing(SchedulerParameters found, String id) {
    String command = "sched-" + found.scheduler().xenName();
    return isRtds(found) ? List.of(command, "-v", "all", "-d", id) : List.of(command, "-d", id);
  }

  private static boolean isRtds(SchedulerParameters found) {
    return found.scheduler().xenName().equals("rtds");
  }

  /** Returns the rows of the listing that show these settings, as regular expressions. */
  private Optional<List<String>> rows(Domain domain, SchedulerParameters found) {
    String id = Integer.toString(domain.id());
    return switch (found.scheduler().xenName()) {
      case "credit" ->
          Optional.of(List.of(row(id, found.get(Credit.WEIGHT), found.get(Credit.CAP))));
      case "credit2" ->
          Optional.of(
              List.of(
                  dialect.version().atLeast(4, 10)
                      ? row(id, found.get(Credit.WEIGHT), found.get(Credit.CAP))
                      : row(id, found.get(Credit.WEIGHT))));
      case "rtds" ->
          dialect.version().atLeast(4, 7) ? Optional.of(rtds(domain, found)) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private List<String> rtds(Domain domain, SchedulerParameters found) {
    List<SchedulerParameters> each =
        found.isByVcpu()
            ? found.each()
            : Stream.generate(() -> found).limit(domain.vcpus()).toList();
    List<String> rows = new ArrayList<>();
    for (int vcpu = 0; vcpu < each.size(); vcpu++) {
      SchedulerParameters one = each.get(vcpu);
      List<Object> cells =
          new ArrayList<>(
              List.of(vcpu, micros(one.get(Rtds.PERIOD)), micros(one.get(Rtds.BUDGET))));
      if (dialect.version().atLeast(4, 10)) {
        cells.add(one.get(Rtds.EXTRATIME) ? "yes" : "no");
      }
      rows.add(row(Integer.toString(domain.id()), cells.toArray()));
    }
    return rows;
  }

  private static long micros(Duration time) {
    return time.toNanos() / NANOS_A_MICRO;
  }

  /** Returns a regular expression for a row; without cells, for one that goes on after the id. */
  private static String row(String id, Object... cells) {
    StringBuilder row = new StringBuilder(" ").append(id);
    for (Object cell : cells) {
      row.append(" +").append(cell);
    }
    return row.append(cells.length == 0 ? " " : " *$").toString();
  }

  private Command reading(List<String> arguments) {
    return Command.reading(
        Stream.concat(tool.prefix().stream(), arguments.stream()).toArray(String[]::new));
  }
}
