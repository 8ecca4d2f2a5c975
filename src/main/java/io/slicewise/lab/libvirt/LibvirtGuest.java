package io.slicewise.lab.libvirt;

import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import java.util.Optional;

/** A guest known to libvirt: defined, running, or both. */
public final class LibvirtGuest {
  private final String name;
  private final String uuid;
  private Optional<Definition> config;
  private Definition lastLive;
  private Optional<Life> life = Optional.empty();
  private State state = State.SHUT_OFF;
  private String reason = "unknown";

  /** The states of a guest supported here, with libvirt's numbers. */
  public enum State {
    RUNNING(1, "running"),
    PAUSED(3, "paused"),
    SHUT_OFF(5, "shut off");

    private final int number;
    private final String text;

    State(int number, String text) {
      this.number = number;
      this.text = text;
    }

    public int number() {
      return number;
    }

    public String text() {
      return text;
    }
  }

  LibvirtGuest(String name, String uuid, Definition config) {
    this.name = name;
    this.uuid = uuid;
    this.config = Optional.of(config);
    this.lastLive = config;
  }

  public String name() {
    return name;
  }

  public String uuid() {
    return uuid;
  }

  /** Returns the definition for the next start, or empty for a transient guest. */
  public Optional<Definition> config() {
    return config;
  }

  /**
   * Returns the live definition of a running guest, or the configuration of one that is shut off.
   */
  public Definition current() {
    return life.map(Life::definition).orElseGet(() -> config.orElse(lastLive));
  }

  public Optional<Life> life() {
    return life;
  }

  /** Returns the current run of a guest that is running or paused. */
  public Life running() {
    return life.orElseThrow(LibvirtError::notRunning);
  }

  public State state() {
    return state;
  }

  /** Returns libvirt's number for the reason of the state. */
  public int reasonNumber() {
    return switch (state.text() + " " + reason) {
      case "running booted", "paused user" -> 1;
      case "shut off destroyed" -> 2;
      case "shut off crashed" -> 3;
      case "running unpaused" -> 5;
      case "shut off failed" -> 6;
      default -> 0;
    };
  }

  void undefined() {
    config = Optional.empty();
  }

  void began(Life begun) {
    life = Optional.of(begun);
    enter(State.RUNNING, "booted");
  }

  void enter(State next, String why) {
    state = next;
    reason = why;
  }

  void ended(String why) {
    lastLive = current();
    life = Optional.empty();
    enter(State.SHUT_OFF, why);
  }
}
