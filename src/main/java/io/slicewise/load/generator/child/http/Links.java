package io.slicewise.load.generator.child.http;

import java.util.HashMap;
import java.util.Map;
import org.apache.jmeter.util.JMeterUtils;

/**
 * The connections of one user: at most one to each server, since a user waits for each answer. They
 * are used again and given up under the same rules as HttpClient's.
 */
final class Links {
  private static final long CHECKED_AFTER_MILLIS =
      JMeterUtils.getPropDefault("httpclient4.validate_after_inactivity", 4_900);
  private static final long LIFE_MILLIS =
      JMeterUtils.getPropDefault("httpclient4.time_to_live", 60_000);
  private static final ThreadLocal<Links> OF_THREAD = ThreadLocal.withInitial(Links::new);

  private final Map<String, Kept> kept = new HashMap<>();
  private boolean isNewVisitor;

  /** A connection with the times that decide how long it is used. */
  private static final class Kept {
    private final Link link;
    private final long lastMillis;
    private long usedMillis;
    private long untilMillis;

    Kept(Link link, long nowMillis) {
      this.link = link;
      lastMillis = LIFE_MILLIS > 0 ? nowMillis + LIFE_MILLIS : Long.MAX_VALUE;
    }
  }

  private Links() {}

  static Links ofThisThread() {
    return OF_THREAD.get();
  }

  /** Says whether the next request is a new visitor's, who has no connections yet. */
  void newVisitor(boolean isNew) {
    isNewVisitor = isNew;
  }

  /** Forgets the last visitor's connections if the next request is a new one's. */
  void begin() {
    if (isNewVisitor) {
      close();
      isNewVisitor = false;
    }
  }

  /** Returns the open connection to a server; null if there is none that can be used. */
  Link open(String server) {
    Kept found = kept.get(server);
    if (found == null) {
      return null;
    }
    long now = System.currentTimeMillis();
    boolean usable =
        found.link.isOpen()
            && now < found.untilMillis
            && !(CHECKED_AFTER_MILLIS > 0
                && found.usedMillis + CHECKED_AFTER_MILLIS <= now
                && found.link.isStale());
    if (!usable) {
      drop(server, found.link);
      return null;
    }
    return found.link;
  }

  /**
   * Keeps a connection for the next request.
   *
   * @param millis how long the server keeps it; at most 0 if it does not say
   */
  void keep(String server, Link link, long millis) {
    long now = System.currentTimeMillis();
    Kept own = kept.get(server);
    if (own == null || own.link != link) {
      own = new Kept(link, now);
      kept.put(server, own);
    }
    own.usedMillis = now;
    own.untilMillis = millis > 0 ? Math.min(now + millis, own.lastMillis) : own.lastMillis;
  }

  /** Closes a connection. */
  void drop(String server, Link link) {
    Kept own = kept.get(server);
    if (own != null && own.link == link) {
      kept.remove(server);
    }
    link.close();
  }

  void close() {
    kept.values().forEach(each -> each.link.close());
    kept.clear();
  }
}
