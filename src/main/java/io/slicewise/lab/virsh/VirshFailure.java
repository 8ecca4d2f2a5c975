package io.slicewise.lab.virsh;

import java.util.List;

/** A failed command. Each message is one line of standard error. */
final class VirshFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> messages;

  VirshFailure(String... messages) {
    super(String.join("\n", messages), null, false, false);
    this.messages = List.of(messages);
  }

  List<String> messages() {
    return messages;
  }
}
