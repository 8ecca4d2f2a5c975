package io.slicewise.lab.sim;

import java.util.ArrayList;
import java.util.List;

/** A thread of the host: a vCPU, or what stands for the emulator of a guest. */
final class FairThread {
  final Vcpu vcpu;
  final FairBandwidth limit;

  FairGroup group;
  double weight = FairScheduler.DEFAULT_WEIGHT;

  /** Whether it is ready: running, or waiting for its turn. */
  boolean ready;

  /** Service that it is owed (or had too much of, below zero), in nanoseconds. */
  double lag;

  /** The part of its pCPU that it is entitled to now, 0..1. */
  double share;

  /** What it weighs on the whole machine. */
  double load;

  /** What is left of the slice it asked for. */
  long slice;

  private long parkedSince;
  private long parkedNanos;
  private boolean parked;

  FairThread(Vcpu vcpu, FairGroup group, FairBandwidth limit) {
    this.vcpu = vcpu;
    this.group = group;
    this.limit = limit;
  }

  boolean throttled() {
    return limit.throttled() || group.limit.throttled();
  }

  void parked(boolean now, long nanos) {
    if (now && !parked) {
      parkedSince = nanos;
    } else if (parked && !now) {
      parkedNanos += nanos - parkedSince;
    }
    parked = now;
  }

  long parkedNanos(long now) {
    return parkedNanos + (parked ? now - parkedSince : 0);
  }

  /** What orders those that are owed something: when their slice would be served, at their pace. */
  double deadline() {
    return (slice - lag) / share;
  }

  /** A guest's control group: its weight against other guests, its limit, and the threads in it. */
  static final class FairGroup {
    final FairBandwidth limit;
    final List<FairThread> threads = new ArrayList<>();

    /** Whether its threads stand beside all guests, as the host's own do. */
    final boolean host;

    double weight = FairScheduler.DEFAULT_WEIGHT;

    /** Sum of the weights of its ready threads. */
    double load;

    FairGroup(boolean host, FairBandwidth limit) {
      this.host = host;
      this.limit = limit;
    }
  }
}
