package io.slicewise.lab.xl;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.HypercallException;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code xl cpupool-create 'name="X"' 'sched="credit"' 'cpus=["3"]'}: takes configuration syntax on
 * the command line. A file operand is refused, because this host has no such files.
 */
record CpupoolCreate(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "nf:", "dryrun=n defconfig=f:");
    String config = String.join("\n", options.operands());
    String name =
        value(config, "name")
            .orElseThrow(() -> new XlFailure(libxl.fail(), "Missing cpupool name!\n"));
    if (libxl.pool(name).isPresent()) {
      throw new XlFailure(libxl.fail(), "Pool name \"" + name + "\" already exists\n");
    }
    Scheduler scheduler = scheduler(config);
    NavigableSet<Integer> pcpus = freePcpus(config);
    invocation.print("Using config file \"command line\"\n");
    invocation.print("cpupool name:   %s\n", name);
    invocation.print("scheduler:      %s\n", scheduler.xenName());
    invocation.print("number of cpus: %d\n", pcpus.size());
    create(name, scheduler, pcpus);
    return 0;
  }

  private Scheduler scheduler(String config) {
    Optional<String> given = value(config, "sched");
    if (given.isEmpty()) {
      return libxl.hypercalls().pools().get(0).scheduler();
    }
    return Scheduler.ofXenName(given.get())
        .orElseThrow(() -> new XlFailure(libxl.fail(), "Unknown scheduler\n"));
  }

  private NavigableSet<Integer> freePcpus(String config) {
    NavigableSet<Integer> wanted = pcpus(config);
    NavigableSet<Integer> free = new TreeSet<>(CpuSet.parse("all", libxl.hypercalls().pcpus()));
    libxl.hypercalls().pools().stream().map(PoolState::pcpus).forEach(free::removeAll);
    for (int pcpu : wanted) {
      if (!free.contains(pcpu)) {
        throw new XlFailure(libxl.fail(), "cpu " + pcpu + " illegal or not free\n");
      }
    }
    return wanted;
  }

  private NavigableSet<Integer> pcpus(String config) {
    NavigableSet<Integer> wanted = new TreeSet<>();
    Matcher list = Pattern.compile("cpus\\s*=\\s*\\[([^]]*)]").matcher(config);
    if (list.find()) {
      Matcher number = Pattern.compile("\\d+").matcher(list.group(1));
      while (number.find()) {
        wanted.add(Integer.valueOf(number.group()));
      }
    } else if (libxl.since(4, 6)) {
      value(config, "cpus")
          .ifPresent(text -> wanted.addAll(CpuSet.parse(text, libxl.hypercalls().pcpus())));
    }
    return wanted;
  }

  private void create(String name, Scheduler scheduler, NavigableSet<Integer> pcpus) {
    try {
      libxl.hypercalls().createPool(name, scheduler, pcpus);
    } catch (HypercallException refused) {
      throw new XlFailure(
          libxl.fail(),
          libxl.log("libxl_cpupool", 157, "libxl_cpupool_create", 0, "Could not create cpupool")
              + "error on creating cpupool\n");
    }
  }

  private static Optional<String> value(String config, String key) {
    Matcher matcher =
        Pattern.compile("(?m)^\\s*" + key + "\\s*=\\s*[\"']([^\"']*)[\"']").matcher(config);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
