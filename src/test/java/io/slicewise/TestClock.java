package io.slicewise;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock of a test, in UTC. */
public abstract class TestClock extends Clock {
  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
