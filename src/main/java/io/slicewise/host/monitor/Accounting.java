package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes a domain's shares from measured run and wait: blocked is the rest. Rejects impossible
 * sums instead of adjusting them.
 */
final class Accounting {
  /** Shares of a vCPU's time must add up to one within this (STATISTICS: 100 ± 2 %). */
  private static final double TOLERANCE = 0.02;

  private Accounting() {}

  /**
   * @param run share of the domain's vCPU time, 0..1; NaN if not measured
   * @param waiting likewise
   * @param notes notes for the reader, as clauses
   */
  static DomainShares shares(Domain domain, double run, double waiting, List<String> notes) {
    List<String> said = new ArrayList<>(notes);
    double wait = waiting;
    if (run > 1 + TOLERANCE) {
      said.add(
          Phrase.of(
              "ran %.1f %% of the time of its %d vCPUs: the number of vCPUs differs from the"
                  + " listing",
              run * 100, domain.vcpus()));
      wait = Double.NaN;
    } else if (run + wait > 1 + TOLERANCE) {
      said.add(
          Phrase.of(
              "run and wait add up to %.1f %%, so the wait in the records cannot be right",
              (run + wait) * 100));
      wait = Double.NaN;
    }
    double blocked = Math.max(0, 1 - run - wait);
    return new DomainShares(
        domain.name(), domain.id(), domain.vcpus(), run, wait, blocked, String.join("; ", said));
  }

  /** Returns unknown shares with the reason. */
  static DomainShares unknown(Domain domain, String why) {
    return new DomainShares(
        domain.name(), domain.id(), domain.vcpus(), Double.NaN, Double.NaN, Double.NaN, why);
  }

  /** Returns the part of the window between two times; empty if they are outside of it. */
  static Window covered(Instant first, Instant last, Window window) {
    Instant from = first.isAfter(window.start()) ? first : window.start();
    Instant to = last.isBefore(window.end()) ? last : window.end();
    return new Window(from, to.isAfter(from) ? to : from);
  }

  /** Footnotes on impossible sums over the whole host. */
  static List<String> overCommitted(List<DomainShares> shares, int pcpus) {
    double running =
        shares.stream()
            .filter(each -> Double.isFinite(each.run()))
            .mapToDouble(each -> each.run() * each.vcpus())
            .sum();
    if (pcpus <= 0 || running <= pcpus * (1 + TOLERANCE)) {
      return List.of();
    }
    return List.of(
        Phrase.of(
            "all domains together ran on %.2f pCPUs, the host has %d: the shares are not reliable",
            running, pcpus));
  }
}
