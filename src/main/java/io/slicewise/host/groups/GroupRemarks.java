package io.slicewise.host.groups;

import io.slicewise.host.Hypervisor.Remark;
import io.slicewise.host.groups.Inventory.Listed;
import io.slicewise.profile.Fair;
import java.util.ArrayList;
import java.util.List;

/** Remarks on the peculiarities of a host of control groups. */
record GroupRemarks(Inventory inventory) {
  private static final int MANY = 12;

  List<Remark> all() {
    Listed now = inventory.known();
    CgroupVersion version = inventory.trees().version();
    List<Remark> remarks = new ArrayList<>();
    remarks.add(
        new Remark(
            "cgroups",
            "%s at %s: shares %d to %d, %d by default"
                .formatted(
                    version,
                    inventory.trees().cpu(),
                    version.leastShares(),
                    version.mostShares(),
                    version.defaultShares()),
            ""));
    remarks.add(new Remark("guests", first(List.copyOf(now.guests().keySet())), ""));
    List<String> empty =
        now.guests().values().stream()
            .filter(guest -> !now.snapshot().hasProcesses(guest.path()))
            .map(Guest::name)
            .toList();
    if (!empty.isEmpty()) {
      remarks.add(
          new Remark(
              "processes",
              "none in %s: no setting there changes anything, and no guard can fail"
                  .formatted(first(empty)),
              "start what runs in it"));
    }
    Limits limits = new Limits(now.snapshot());
    now.guests()
        .values()
        .forEach(
            guest ->
                limits
                    .moot(guest)
                    .ifPresent(
                        sentence ->
                            remarks.add(
                                new Remark(
                                    "shares", sentence, "set the group above, or a quota"))));
    now.guests().values().stream()
        .flatMap(guest -> now.snapshot().ancestors(guest.path()).stream())
        .distinct()
        .forEach(
            above ->
                limits
                    .limit(above)
                    .ifPresent(
                        limit ->
                            remarks.add(
                                new Remark(
                                    "quota",
                                    "%s of %s holds back all guests in it together, and is in none"
                                            .formatted(Fair.LIMIT.text(limit), above)
                                        + " of their accounts",
                                    "raise it, or count with less than whole pCPUs"))));
    return List.copyOf(remarks);
  }

  private static String first(List<String> names) {
    String more = names.size() > MANY ? " and %d more".formatted(names.size() - MANY) : "";
    return String.join(", ", names.subList(0, Math.min(MANY, names.size()))) + more;
  }
}
