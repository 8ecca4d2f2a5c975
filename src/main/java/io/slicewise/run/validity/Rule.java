package io.slicewise.run.validity;

/** The rules for trials; {@link #key} is the name in files and options. */
public enum Rule {
  SAMPLES("samples", "a load leaves samples"),
  ERRORS("errors", "failed samples stay under the limit"),
  LITTLES_LAW("littles-law", "users = rate x (response time + think time)"),
  SHARES("shares", "run + wait + blocked of a domain add to 100 %"),
  PCPUS("pcpus", "domains together run on no more pCPUs than there are"),
  CAP("cap", "a domain runs no longer than its cap, slice or budget allows"),
  IDLE("idle", "a domain that serves the load is not idle"),
  GENERATOR("generator", "the generator has CPU to spare and is not late"),
  LAB("lab", "the embedded lab is not late"),
  SETTINGS("settings", "the scheduler read back is the scheduler asked for"),
  STEADY("steady", "the rate is steady in the measured window"),
  COVERAGE("coverage", "the monitor's records cover the measured window"),
  HOST("host", "guests, cpupools and pCPUs stay as they are while a trial runs"),
  WINDOW("window", "the measured window is as long as planned"),
  GUEST_REBOOTED("guest-rebooted", "a machine that is read does not reboot in the window"),
  NOT_WARM("not-warm", "warm work reads at most 1 MB of disk an execution and has no major fault"),
  NOT_COLD("not-cold", "cold work reads from disk what the database reads, within 5 %"),
  NEEDED("needed", "machines that the experiment needs are read at both ends of the window"),
  STEAL_WAIT("steal-wait", "a guest's stolen time is its wait for a pCPU, within 2 points"),
  CPU_TIME("cpu-time", "a machine's CPU time by state adds up to that of its CPUs, within 1 %"),
  PASSES("passes", "a guest's disk moves the bytes of its backend, within 1 %");

  private final String key;
  private final String statement;

  Rule(String key, String statement) {
    this.key = key;
    this.statement = statement;
  }

  public String key() {
    return key;
  }

  /** The rule as a sentence. */
  public String statement() {
    return statement;
  }
}
