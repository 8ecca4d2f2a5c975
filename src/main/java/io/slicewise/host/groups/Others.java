package io.slicewise.host.groups;

import io.slicewise.host.Accounts;
import io.slicewise.host.groups.GroupAccounts.Account;
import io.slicewise.observe.Reading;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who else ran on a guest's pCPUs between two readings, as shares of the time of all of them.
 *
 * @param guests that ran at least {@link #LEAST} of it, by their names, those that ran most first
 * @param all of the known guests together, however little each ran
 * @param outside tasks of no guest, and what guests of {@code partly} ran; empty if the host's use
 *     of its pCPUs was not read
 * @param partly guests of which it is not known how much of their time they ran here
 */
record Others(List<Reading> guests, double all, Optional<Double> outside, List<String> partly) {
  /** Less is not listed. */
  private static final double LEAST = 0.001;

  private static final double NANOS = 1e9;

  /** Returns the others of a guest that is in both readings. */
  static Others of(String guest, GroupAccounts.Reading before, GroupAccounts.Reading after) {
    Account own = after.guests().get(guest);
    BitSet pcpus = own.pcpus().own();
    double time = pcpus.cardinality() * (after.seconds() - before.seconds()) * NANOS;
    List<Reading> guests = new ArrayList<>();
    List<String> partly = new ArrayList<>();
    double all = 0;
    for (Map.Entry<String, Account> other : before.guests().entrySet()) {
      Optional<Long> used =
          Optional.ofNullable(after.guests().get(other.getKey()))
              .flatMap(account -> account.usedOn(pcpus, other.getValue()));
      if (other.getKey().equals(guest)) {
        continue;
      } else if (used.isEmpty()) {
        partly.add(other.getKey());
        continue;
      }
      all += used.get() / time;
      guests.add(Reading.share(other.getKey(), used.get() / time));
    }
    double known = all + own.usedOn(pcpus, before.guests().get(guest)).orElse(0L) / time;
    return new Others(
        guests.stream()
            .filter(ran -> ran.value() >= LEAST)
            .sorted(Comparator.comparingDouble(Reading::value).reversed())
            .toList(),
        all,
        after.usedOn(pcpus, before).map(used -> Math.max(0, used / time - known)),
        partly);
  }

  /** Returns the measures of a guest that has these others. */
  Stream<Reading> readings() {
    return Stream.concat(
        Stream.of(Reading.share(Accounts.OTHERS_RUN, all)),
        outside.stream().map(share -> Reading.share(Accounts.OUTSIDE_RUN, share)));
  }
}
