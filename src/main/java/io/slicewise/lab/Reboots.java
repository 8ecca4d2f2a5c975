package io.slicewise.lab;

/** Receives requests to reboot. An empty name keeps the current scheduler. */
@FunctionalInterface
interface Reboots {
  void request(String scheduler);
}
