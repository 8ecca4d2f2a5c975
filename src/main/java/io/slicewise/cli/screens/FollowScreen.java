package io.slicewise.cli.screens;

import io.slicewise.sweep.follow.Follower;
import io.slicewise.sweep.policy.Policy;
import java.io.PrintWriter;
import java.util.List;

/** What {@code follow} shows: a live line on a terminal, and a line for each event. */
public final class FollowScreen {
  private final Policy policy;
  private final PrintWriter err;
  private final boolean live;
  private final LivePane pane;

  public FollowScreen(Policy policy, PrintWriter err, boolean live) {
    this.policy = policy;
    this.err = err;
    this.live = live;
    this.pane = new LivePane(err, Terminal.width());
  }

  /** Redraws the live line. */
  public synchronized void status(Follower.Status status) {
    if (live) {
      pane.draw(List.of(line(status)));
    }
  }

  private String line(Follower.Status status) {
    String load = Double.isNaN(status.load()) ? "load unknown" : policy.load().text(status.load());
    return "%s  %s  %s  %d changes%s"
        .formatted(
            policy.name(),
            load,
            status.profile(),
            status.changes(),
            status.outside() ? "  outside the measured loads" : "");
  }

  /** Prints a line above the live one. */
  public synchronized void notice(String sentence) {
    if (live) {
      pane.clear();
    }
    err.println(sentence);
    err.flush();
  }

  /** Removes the live line. */
  public synchronized void end() {
    if (live) {
      pane.clear();
    }
  }
}
