package io.slicewise.lab.xl;

import io.slicewise.lab.host.DomainState;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code xl list -l}: the configurations of domains, as JSON in libxl's layout. */
final class LongListing {
  private LongListing() {}

  static String of(List<DomainState> domains) {
    return domains.stream()
        .map(domain -> domain.id() == 0 ? dom0(domain) : guest(domain))
        .collect(Collectors.joining(",\n", "[\n", "\n]"));
  }

  private static String dom0(DomainState domain) {
    return """
        {
            "domid": 0,
            "config": {
                "c_info": {
                    "type": "pv",
                    "name": "%s"
                },
                "b_info": {
                    "max_memkb": %d,
                    "target_memkb": %d,
    %s
                    "type.pv": {

                    },
                    "arch_arm": {

                    },
                    "arch_x86": {

                    }
                }
            }
        }\
    """
        .formatted(
            domain.name(),
            domain.memoryKib(),
            domain.memoryKib() - 1,
            scheduler(domain.parameters()));
  }

  private static String guest(DomainState domain) {
    String vcpus =
        IntStream.range(0, domain.vcpus().size())
            .mapToObj(vcpu -> " ".repeat(20) + vcpu)
            .collect(Collectors.joining(",\n"));
    return """
        {
            "domid": %d,
            "config": {
                "c_info": {
                    "type": "pv",
                    "name": "%s",
                    "domid": 4294967295,
                    "uuid": "%s",
                    "run_hotplug_scripts": "True"
                },
                "b_info": {
                    "max_vcpus": %d,
                    "avail_vcpus": [
    %s
                    ],
                    "max_memkb": %d,
                    "target_memkb": %d,
                    "video_memkb": 0,
    %s
                    "claim_mode": "True",
                    "kernel": "/lab/vmlinuz",
                    "cmdline": "console=hvc0 quiet loglevel=4",
                    "ramdisk": "/lab/guest-initrd.gz",
                    "type.pv": {

                    },
                    "arch_arm": {

                    },
                    "arch_x86": {
                        "msr_relaxed": "False"
                    }
                },
                "on_reboot": "restart",
                "on_crash": "preserve",
                "on_soft_reset": "soft_reset"
            }
        }\
    """
        .formatted(
            domain.id(),
            domain.name(),
            domain.uuid(),
            domain.vcpus().size(),
            vcpus,
            domain.memoryKib(),
            domain.memoryKib(),
            scheduler(domain.parameters()));
  }

  private static String scheduler(SchedulerParameters set) {
    String inner = " ".repeat(20);
    String values = "";
    if (set.scheduler() == Scheduler.CREDIT || set.scheduler() == Scheduler.CREDIT2) {
      values =
          ",\n%s\"weight\": %d,\n%s\"cap\": %d"
              .formatted(inner, set.get(Credit.WEIGHT), inner, set.get(Credit.CAP));
    } else if (set.scheduler() == Scheduler.RTDS) {
      values =
          ",\n%s\"period\": %d,\n%s\"budget\": %d"
              .formatted(
                  inner,
                  set.get(Rtds.PERIOD).toNanos() / 1000,
                  inner,
                  set.get(Rtds.BUDGET).toNanos() / 1000);
    }
    String outer = " ".repeat(16);
    return "%s\"sched_params\": {\n%s\"sched\": \"%s\"%s\n%s},"
        .formatted(outer, inner, set.scheduler().xenName(), values, outer);
  }
}
