package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The lines of {@code xl info} and {@code xm info}, in their order. */
public final class HostFacts {
  private HostFacts() {}

  /** Returns keys and values as this version of Xen prints them. */
  public static Map<String, String> of(
      MachineIdentity identity, Hypercalls hypercalls, boolean xl) {
    Map<String, String> facts = new LinkedHashMap<>();
    machine(facts, identity, hypercalls);
    memory(facts, identity, hypercalls, xl);
    hypervisor(facts, identity, hypercalls, xl);
    return facts;
  }

  private static void machine(
      Map<String, String> facts, MachineIdentity identity, Hypercalls hypercalls) {
    boolean since42 = identity.version().atLeast(4, 2);
    facts.put("host", identity.name());
    facts.put("release", identity.release());
    facts.put("version", identity.kernel());
    facts.put("machine", "x86_64");
    facts.put("nr_cpus", String.valueOf(hypercalls.pcpus()));
    if (since42) {
      facts.put("max_cpu_id", String.valueOf(hypercalls.pcpus() - 1));
    }
    facts.put("nr_nodes", "1");
    facts.put("cores_per_socket", String.valueOf(hypercalls.pcpus()));
    facts.put("threads_per_core", "1");
    boolean fractions = identity.version().atLeast(4, 11);
    facts.put(
        "cpu_mhz",
        String.format(Locale.ROOT, fractions ? "%.3f" : "%.0f", identity.cpuMegahertz()));
    facts.put("hw_caps", "1fcbf3fd:f6d8320b:ec500800:00000077:00000005:018843a9:0000020c:00000000");
  }

  private static void memory(
      Map<String, String> facts, MachineIdentity identity, Hypercalls hypercalls, boolean xl) {
    long used = hypercalls.domains().stream().mapToLong(DomainState::memoryKib).sum() / 1024;
    facts.put(
        "virt_caps", identity.version().atLeast(4, 17) ? "pv hvm hap gnttab-v1 gnttab-v2" : "hvm");
    facts.put("total_memory", String.valueOf(identity.memoryMib()));
    facts.put("free_memory", String.valueOf(Math.max(0, identity.memoryMib() - used)));
    if (xl) {
      int pooled = hypercalls.pools().stream().mapToInt(pool -> pool.pcpus().size()).sum();
      facts.put("sharing_freed_memory", "0");
      facts.put("sharing_used_memory", "0");
      facts.put("outstanding_claims", "0");
      facts.put("free_cpus", String.valueOf(hypercalls.pcpus() - pooled));
    }
  }

  private static void hypervisor(
      Map<String, String> facts, MachineIdentity identity, Hypercalls hypercalls, boolean xl) {
    facts.put("xen_major", String.valueOf(identity.version().major()));
    facts.put("xen_minor", String.valueOf(identity.version().minor()));
    facts.put("xen_extra", identity.version().extra());
    if (xl && identity.version().atLeast(4, 4)) {
      facts.put("xen_version", identity.version().toString());
    }
    facts.put("xen_caps", "xen-3.0-x86_64 hvm-3.0-x86_32 hvm-3.0-x86_32p hvm-3.0-x86_64 ");
    facts.put("xen_scheduler", shown(hypercalls.pools().get(0).scheduler(), xl));
    facts.put("xen_pagesize", "4096");
    facts.put("platform_params", "virt_start=0xffff800000000000");
    facts.put("xen_changeset", xl ? "" : "unavailable");
    int dom0Vcpus = hypercalls.domains().get(0).vcpus().size();
    facts.put("xen_commandline", identity.commandLine(dom0Vcpus));
    if (xl && identity.version().atLeast(4, 17)) {
      facts.put("cc_compiler", "x86_64-linux-gnu-gcc (Debian 12.2.0-14+deb12u1) 12.2.0");
      facts.put("cc_compile_by", "pkg-xen-devel");
      facts.put("cc_compile_domain", "build.example.org");
      facts.put("cc_compile_date", "Wed Nov  4 16:52:28 UTC 2026");
      facts.put("build_id", "151b373fd64b321593bf987fd923cd10dabadac4");
    }
    facts.put("xend_config_format", "4");
  }

  /** Returns the printed name of a scheduler. {@code xm} names only three schedulers. */
  public static String shown(Scheduler scheduler, boolean xl) {
    boolean known =
        scheduler == Scheduler.SEDF
            || scheduler == Scheduler.CREDIT
            || scheduler == Scheduler.CREDIT2;
    return xl || known ? scheduler.xenName() : "unknown";
  }
}
