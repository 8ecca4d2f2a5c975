package io.slicewise.lab.libvirt;

/** The nice value closest to a weight, as {@code cpu.weight.nice} shows it. */
final class NiceValue {
  private static final int[] WEIGHTS = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87,
    70, 56, 45, 36, 29, 23, 18, 15
  };
  private static final int LEAST = -20;

  private NiceValue() {}

  static int of(long weight) {
    long load = Math.round(weight * 1024 / 100.0);
    int nearest = 0;
    while (nearest + 1 < WEIGHTS.length
        && Math.abs(WEIGHTS[nearest + 1] - load) < Math.abs(WEIGHTS[nearest] - load)) {
      nearest++;
    }
    return LEAST + nearest;
  }
}
