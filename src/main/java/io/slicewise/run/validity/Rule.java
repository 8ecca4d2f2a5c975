package io.slicewise.run.validity;

import io.slicewise.base.units.EnumName;

/** The rules for trials; {@link #key} is the name in files and options. */
public enum Rule {
  SAMPLES("a load leaves samples"),
  OUTCOMES("what its users experienced can be read"),
  ERRORS("failed samples stay under the limit"),
  LITTLES_LAW("users = rate x (response time + think time)"),
  SHARES("run + wait + blocked of a domain add to 100 %"),
  PCPUS("domains together run on no more pCPUs than there are"),
  CAP("a domain runs no longer than its cap, slice or budget allows"),
  IDLE("a domain that serves the load is not idle"),
  UNLOADED("a guest that the trial does not load is idle"),
  GENERATOR("the generator has CPU to spare and is not late"),
  ARRIVALS("arrivals of an open load begin when they are due"),
  OTHER_WORK("other programs leave this machine its CPU"),
  LAB("the embedded lab is not late"),
  SETTINGS("the scheduler read back is the scheduler asked for"),
  STEADY("the rate is steady in the measured window"),
  COVERAGE("the monitor's records cover the measured window"),
  HOST("guests, cpupools and pCPUs stay as they are while a trial runs"),
  WINDOW("the measured window is as long as planned"),
  GUEST_REBOOTED("a machine that is read does not reboot in the window"),
  NOT_WARM("warm work reads at most 1 MB of disk an execution and has no major fault"),
  NOT_COLD("cold work reads from disk what the database reads, within 5 %"),
  NEEDED("machines that the experiment needs are read at both ends of the window"),
  STEAL_WAIT("a guest's stolen time is its wait for a pCPU and its parked time, within 2 points"),
  CPU_TIME("a machine's CPU time by state adds up to that of its CPUs, within 1 %"),
  PASSES("a guest's disk moves the bytes of its backend, within 1 %");

  private final String statement;

  Rule(String statement) {
    this.statement = statement;
  }

  public String key() {
    return EnumName.of(this);
  }

  /** The rule as a sentence. */
  public String statement() {
    return statement;
  }
}
