package io.slicewise.stats;

import io.slicewise.stats.table.NeighbourBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Sessions of switched settings with known truth: noise by the second that decays with a
 * correlation time, a level drawn at each restart, a part of it particular to a setting, and a
 * setting that acts with a delay. All on logarithms.
 *
 * @param effects of each setting against the baseline, the first
 * @param window seconds that are measured
 * @param washOut seconds before them
 * @param noise deviation of one second
 * @param memory correlation time of the noise in seconds
 * @param level deviation of a session's level
 * @param particular deviation of what a restart draws for one setting alone
 * @param delay time constant in seconds with which a setting acts; 0 at once
 */
record SwitchedWorld(
    List<Double> effects,
    int blocks,
    int window,
    int washOut,
    double noise,
    double memory,
    double level,
    double particular,
    double delay) {

  /** A window of a session: its mean and those of its halves. */
  record Seen(int block, int setting, int previous, double log, double first, double second) {}

  /** One session in random blocks. */
  List<Seen> session(Random random) {
    double[] own = effects.stream().mapToDouble(Double::doubleValue).toArray();
    for (int i = 0; i < own.length; i++) {
      own[i] += particular * random.nextGaussian();
    }
    double base = level * random.nextGaussian();
    double keep = Math.exp(-1 / memory);
    double draw = noise * Math.sqrt(1 - keep * keep);
    double pace = delay > 0 ? 1 - Math.exp(-1 / delay) : 1;
    double wave = noise * random.nextGaussian();
    double acting = own[0];
    int previous = -1;
    List<Seen> seen = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      for (int setting : order(random)) {
        double[] halves = new double[2];
        for (int second = -washOut; second < window; second++) {
          wave = keep * wave + draw * random.nextGaussian();
          acting += (own[setting] - acting) * pace;
          if (second >= 0) {
            halves[2 * second / window] += (base + acting + wave) * 2 / window;
          }
        }
        double log = (halves[0] + halves[1]) / 2;
        seen.add(new Seen(block, setting, previous, log, halves[0], halves[1]));
        previous = setting;
      }
    }
    return seen;
  }

  private List<Integer> order(Random random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < effects.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    return order;
  }

  /** The log ratios of a setting to the baseline, by block. */
  static double[] ratios(List<Seen> session, int setting) {
    double[] base = logs(session, 0);
    double[] logs = logs(session, setting);
    double[] ratios = new double[logs.length];
    Arrays.setAll(ratios, b -> logs[b] - base[b]);
    return ratios;
  }

  private static double[] logs(List<Seen> session, int setting) {
    return session.stream()
        .filter(seen -> seen.setting() == setting)
        .mapToDouble(Seen::log)
        .toArray();
  }

  /** The log ratios of all settings but the baseline, by block. */
  double[][] rows(List<Seen> session) {
    double[][] rows = new double[blocks][effects.size() - 1];
    for (int setting = 1; setting < effects.size(); setting++) {
      double[] ratios = ratios(session, setting);
      for (int b = 0; b < blocks; b++) {
        rows[b][setting - 1] = ratios[b];
      }
    }
    return rows;
  }

  /** The effect of a setting by the whole procedure: blocks joined where neighbours are alike. */
  SessionEffect effect(List<List<Seen>> sessions, int setting) {
    int size = NeighbourBlocks.of(sessions.stream().map(this::rows).toList()).size();
    return SessionEffect.of(
        sessions.stream().map(s -> NeighbourBlocks.joined(ratios(s, setting), size)).toList());
  }

  /** What the settings leave in the windows of these sessions. */
  CarryOver carryOver(List<List<Seen>> sessions) {
    List<CarryOver.Window> windows = new ArrayList<>();
    for (int s = 0; s < sessions.size(); s++) {
      for (Seen seen : sessions.get(s)) {
        windows.add(
            new CarryOver.Window(
                s,
                seen.block(),
                seen.setting(),
                seen.previous(),
                seen.log(),
                seen.second() - seen.first()));
      }
    }
    return CarryOver.of(windows, effects.size());
  }
}
