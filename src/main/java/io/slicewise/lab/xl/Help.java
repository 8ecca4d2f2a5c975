package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;

/**
 * The output of {@code xl SUBCOMMAND -h}, in the wording of 4.17. Older versions list the options
 * they support.
 */
final class Help {
  private Help() {}

  static String of(Libxl libxl, String subcommand) {
    return switch (subcommand) {
      case "sched-credit" -> credit(libxl);
      case "sched-credit2" -> credit2(libxl);
      case "sched-rtds" -> rtds(libxl);
      default -> sedf();
    };
  }

  private static String usage(String synopsis, String purpose) {
    return "Usage: xl [-vtTf] " + synopsis + "\n\n" + purpose + ".\n\nOptions:\n\n";
  }

  private static String option(String left, String right) {
    return Phrase.of("%-33s %s\n", left, right);
  }

  private static String credit(Libxl libxl) {
    StringBuilder text =
        new StringBuilder(
            usage(
                "sched-credit [-d <Domain> [-w[=WEIGHT]|-c[=CAP]]] [-s [-t TSLICE] [-r RATELIMIT]]"
                    + " [-p CPUPOOL]",
                "Get/set credit scheduler parameters"));
    text.append(option("-d DOMAIN, --domain=DOMAIN", "Domain to modify"));
    text.append(option("-w WEIGHT, --weight=WEIGHT", "Weight (int)"));
    text.append(option("-c CAP, --cap=CAP", "Cap (int)"));
    if (libxl.since(4, 2)) {
      text.append(option("-s         --schedparam", "Query / modify scheduler parameters"));
      text.append(option("-t TSLICE, --tslice_ms=TSLICE", "Set the timeslice, in milliseconds"));
      text.append(
          option(
              "-r RLIMIT, --ratelimit_us=RLIMIT",
              "Set the scheduling rate limit, in microseconds"));
    }
    if (libxl.since(4, 11)) {
      text.append(
          option("-m DLY, --migration_delay_us=DLY", "Set the migration delay, in microseconds"));
    }
    if (libxl.since(4, 2)) {
      text.append(option("-p CPUPOOL, --cpupool=CPUPOOL", "Restrict output to CPUPOOL"));
    }
    return text.toString();
  }

  private static String credit2(Libxl libxl) {
    String cap = libxl.since(4, 10) ? "-c CAP,    --cap=CAP           Cap (int)\n" : "";
    String pool =
        """
        -s         --schedparam        Query / modify scheduler parameters
        -r RLIMIT, --ratelimit_us=RLIMIT Set the scheduling rate limit, in microseconds
        """;
    return usage(
            "sched-credit2 [-d <Domain> [-w[=WEIGHT]]] [-p CPUPOOL]",
            "Get/set credit2 scheduler parameters")
        + "-d DOMAIN, --domain=DOMAIN     Domain to modify\n"
        + "-w WEIGHT, --weight=WEIGHT     Weight (int)\n"
        + cap
        + (libxl.since(4, 8) ? pool : "")
        + "-p CPUPOOL, --cpupool=CPUPOOL  Restrict output to CPUPOOL\n";
  }

  private static String rtds(Libxl libxl) {
    boolean vcpus = libxl.since(4, 7);
    boolean extra = libxl.since(4, 10);
    String byVcpu =
        """
        -v VCPUID/all, --vcpuid=VCPUID/all    VCPU to modify or output;
                       Using '-v all' to modify/output all vcpus
        """;
    return usage(
            "sched-rtds [-d <Domain>%s [-p[=PERIOD]] [-b[=BUDGET]]%s]"
                .formatted(vcpus ? " [-v[=VCPUID/all]]" : "", extra ? " [-e[=Extratime]]" : ""),
            "Get/set rtds scheduler parameters")
        + "-d DOMAIN, --domain=DOMAIN     Domain to modify\n"
        + (vcpus ? byVcpu : "")
        + "-p PERIOD, --period=PERIOD     Period (us)\n"
        + "-b BUDGET, --budget=BUDGET     Budget (us)\n"
        + (extra ? "-e Extratime, --extratime=Extratime Extratime (1=yes, 0=no)\n" : "")
        + "\n";
  }

  private static String sedf() {
    return usage("sched-sedf [options]", "Get/set sedf scheduler parameters")
        + """
        -d DOMAIN, --domain=DOMAIN     Domain to modify
        -p MS, --period=MS             Relative deadline(ms)
        -s MS, --slice=MS              Worst-case execution time(ms). (slice < period)
        -l MS, --latency=MS            Scaled period (ms) when domain performs heavy I/O
        -e FLAG, --extra=FLAG          Flag (0 or 1) controls if domain can run in extra time
        -w FLOAT, --weight=FLOAT       CPU Period/slice (do not set with --period/--slice)
        -c CPUPOOL, --cpupool=CPUPOOL  Restrict output to CPUPOOL

        """;
  }
}
