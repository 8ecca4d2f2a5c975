package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code xl uptime [-s] [DOMAIN ...]}. */
record XlUptime(Libxl libxl) implements Program {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "s", "");
    boolean brief = options.has('s');
    List<DomainState> domains = chosen(options.operands());
    if (!brief) {
      invocation.print("%-33s %4s %s\n", "Name", "ID", "Uptime");
    }
    String now =
        LocalTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT));
    for (DomainState domain : domains) {
      String up = text(age(domain), brief);
      if (brief) {
        invocation.print(" %s up %s, %s (%d)\n", now, up, domain.name(), domain.id());
      } else {
        invocation.print("%-33s %4d %s\n", domain.name(), domain.id(), up);
      }
    }
    return 0;
  }

  /**
   * Returns the selected domains. All are looked up before anything is printed; unknown numbers are
   * skipped.
   */
  private List<DomainState> chosen(List<String> selectors) {
    if (selectors.isEmpty()) {
      return libxl.hypercalls().domains();
    }
    List<DomainState> domains = new ArrayList<>();
    for (String selector : selectors) {
      Optional<DomainState> found =
          libxl.uncheckedNumber(selector)
              ? libxl.find(selector)
              : Optional.of(libxl.domain(selector));
      found.ifPresent(domains::add);
    }
    return domains;
  }

  private long age(DomainState domain) {
    return TimeUnit.NANOSECONDS.toSeconds(libxl.hypercalls().age(domain.id()).orElse(0));
  }

  static String text(long seconds, boolean brief) {
    long days = seconds / DAY;
    String since = days == 0 ? "" : days + (days == 1 ? " day, " : " days, ");
    String clock = Phrase.of("%2d:%02d", seconds % DAY / HOUR, seconds % HOUR / MINUTE);
    return since + clock + (brief ? "" : Phrase.of(":%02d", seconds % MINUTE));
  }
}
