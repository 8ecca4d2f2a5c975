package io.slicewise.lab;

/** Takes requests to reboot; the scheduler's name may be empty for "as before". */
@FunctionalInterface
interface Reboots {
  void request(String scheduler);
}
