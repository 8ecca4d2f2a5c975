package io.slicewise.lab.xm;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.xm.Xend.PythonOptions;
import io.slicewise.lab.xm.Xend.XmCommand;
import io.slicewise.lab.xm.Xend.XmFailure;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code xm sched-credit}, and {@code xm sched-credit2} from 4.1 on, which has no cap. */
record XmSchedCredit(Xend xend, Scheduler scheduler) implements XmCommand {
  @Override
  public void run(Invocation invocation) throws IOException {
    xend.demand(scheduler);
    boolean caps = scheduler == Scheduler.CREDIT;
    Getopt options =
        PythonOptions.parse(
            invocation.arguments(),
            caps ? "d:w:c:" : "d:w:",
            caps ? "domain=d: weight=w: cap=c:" : "domain=d: weight=w:");
    Optional<Integer> weight = options.last('w').map(Xend::integer);
    Optional<Integer> cap = options.last('c').map(Xend::integer);
    Optional<String> selector = options.last('d');
    if (weight.isEmpty() && cap.isEmpty()) {
      list(invocation, selector);
      return;
    }
    if (selector.isEmpty()) {
      throw XmFailure.withUsage("No domain given.");
    }
    set(xend.changed(selector.get()), weight, cap);
  }

  private void list(Invocation invocation, Optional<String> selector) throws IOException {
    List<DomainState> domains =
        selector.isPresent()
            ? List.of(xend.shown(selector.get()))
            : xend.hypercalls().domains().stream()
                .filter(d -> xend.pool(d.pool()).scheduler() == scheduler)
                .toList();
    invocation.print("%s", header());
    for (DomainState domain : domains) {
      invocation.print("%s", row(domain));
    }
  }

  private String header() {
    if (!xend.since(3, 2)) {
      return Phrase.of("%-33s %-2s %-6s %-4s\n", "Name", "ID", "Weight", "Cap");
    }
    return scheduler == Scheduler.CREDIT
        ? Phrase.of("%-33s %4s %6s %4s\n", "Name", "ID", "Weight", "Cap")
        : Phrase.of("%-33s %4s %6s\n", "Name", "ID", "Weight");
  }

  private String row(DomainState domain) {
    SchedulerParameters now = domain.parameters();
    if (now.scheduler() == Scheduler.CREDIT2) {
      return Phrase.of("%-32s %5d %6d\n", domain.name(), domain.id(), now.get(Credit.WEIGHT));
    }
    // A domain in a pool with another scheduler does not answer and is shown with -1.
    boolean answers = now.scheduler() == Scheduler.CREDIT;
    int weight = answers ? now.get(Credit.WEIGHT) : -1;
    int cap = answers ? now.get(Credit.CAP) : -1;
    return String.format(
        Locale.ROOT,
        xend.since(3, 2) ? "%-32s %5d %6d %4d\n" : "%-32s %3d %6d %4d\n",
        domain.name(),
        domain.id(),
        weight,
        cap);
  }

  private void set(DomainState domain, Optional<Integer> weight, Optional<Integer> cap) {
    refuseOutOfRange(domain, weight, cap);
    SchedulerParameters now = domain.parameters();
    if (now.scheduler() != Scheduler.CREDIT && now.scheduler() != Scheduler.CREDIT2) {
      throw XmFailure.withUsage("(22, 'Invalid argument')");
    }
    xend.hypercalls()
        .setParameters(
            domain.id(),
            now.with(Credit.WEIGHT, weight.orElse(now.get(Credit.WEIGHT)))
                .with(Credit.CAP, cap.orElse(now.get(Credit.CAP))));
  }

  private void refuseOutOfRange(
      DomainState domain, Optional<Integer> weight, Optional<Integer> cap) {
    boolean longWords = xend.since(4, 0);
    if (weight.isPresent() && (weight.get() < 1 || weight.get() > 65535)) {
      throw XmFailure.withUsage(
          longWords
              ? "Cpu weight out of range, valid values are within range from 1 to 65535"
              : "weight is out of range");
    }
    int most = 100 * domain.vcpus().size();
    if (cap.isPresent() && (cap.get() < 0 || cap.get() > most)) {
      throw XmFailure.withUsage(
          longWords
              ? "Cpu cap out of range, valid range is from 0 to %s for specified number of vcpus"
                  .formatted(most)
              : "cap is out of range");
    }
  }
}
