package io.slicewise.report.page;

import java.util.Locale;

/** Experiments for pages: a small grid, and one as large as a page must bear. */
final class Sweeps {
  private static final String HEAD =
      """
      name: NAME
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      baseline: w256-c0
      workload: {name: web-app, target: "http://web.example/"}
      users: [USERS]
      repetitions: TIMES
      warm-up: 20s
      ramp: 5s
      measure: 60s
      seed: 11
      profiles:
        - {name: w256-c0, scheduler: credit, main: {weight: 256}, other: {weight: 256}}
        - {name: again, scheduler: credit, main: {weight: 256}, other: {weight: 256}}
      """;

  /** Two profiles beside none to two interfering neighbours. */
  static final String NEIGHBOURS =
      """
      name: neighbours
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}}
        - {name: w1024, scheduler: credit, main: {weight: 1024}}
      workload:
        name: tpcb
        database: "jdbc:postgresql://web/bench"
        interference: [0, 1, 2]
      users: [4, 16]
      repetitions: 3
      seed: 11
      """;

  private Sweeps() {}

  /** Credit weights × caps around the baseline, with an A/A control. */
  static String grid(String name, String users, int repetitions, int[] weights, int[] caps) {
    StringBuilder text =
        new StringBuilder(
            HEAD.replace("NAME", name)
                .replace("USERS", users)
                .replace("TIMES", String.valueOf(repetitions)));
    for (int weight : weights) {
      for (int cap : caps) {
        if (weight != 256 || cap != 0) {
          text.append(
              String.format(
                  Locale.ROOT,
                  "  - {name: w%d-c%d, scheduler: credit, main: {weight: %d, cap: %d},"
                      + " other: {weight: 256}}%n",
                  weight,
                  cap,
                  weight,
                  cap));
        }
      }
    }
    return text.toString();
  }
}
