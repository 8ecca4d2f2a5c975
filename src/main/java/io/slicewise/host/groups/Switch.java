package io.slicewise.host.groups;

import io.slicewise.host.groups.Snapshot.Node;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A switch of several guests by one shell: it changes nothing unless every guest is of the life and
 * has the settings of the snapshot, and prints what their files contain afterwards. The programs
 * that would be started for that take longer than everything else, so only the shell itself is used
 * where the kernel shows inodes in {@code fdinfo} (Linux 5.14 on).
 */
record Switch(Snapshot snapshot) {
  /** A status that no command of a shell has by itself, with a word to be sure. */
  private static final int OTHERS = 75;

  private static final String FOUND_OTHERS = "found others";

  private static final String FUNCTIONS =
      """
      life() {
        exec 3<.
        life=
        while read -r name number; do
          [ "$name" != ino: ] || life=$number
        done </proc/self/fdinfo/3
        [ "$life" ] || life=$(command stat -c %%i .)
      }
      stat() { life; echo "$life"; }
      other() { echo '%1$s'; exit %2$d; }
      is() {
        cd "$1" && life && [ "$life" = "$2" ] || other
        shift 2
        while [ $# -gt 0 ]; do
          line=
          read -r line <"$1"
          [ "$line" = "$2" ] || other
          shift 2
        done
      }
      show() {
        cd "$1" && life && echo "$life $1" || exit
        for file in %3$s; do
          [ ! -e $file ] || { line=; read -r line <$file; echo "$1/$file:$line"; }
        done
      }
      """
          .formatted(FOUND_OTHERS, OTHERS, String.join(" ", Snapshot.SETTINGS));

  /** Returns the script around these commands, each of which is a shell's. */
  String script(List<Guest> guests, List<Command> commands) {
    List<String> lines = new ArrayList<>();
    for (Guest guest : guests) {
      directories(guest)
          .forEach((directory, node) -> lines.add("is " + directory + " " + found(node)));
    }
    commands.forEach(
        command -> {
          String script = command.words().get(command.words().size() - 1);
          lines.add("{ " + script + "; } || exit");
        });
    for (Guest guest : guests) {
      directories(guest).keySet().forEach(directory -> lines.add("show " + directory));
    }
    return FUNCTIONS + String.join("\n", lines);
  }

  /** Returns a guest's groups by their quoted directories. */
  private Map<String, Node> directories(Guest guest) {
    Map<String, Node> directories = new LinkedHashMap<>();
    Node cpu = snapshot.groups().get(guest.path());
    directories.put(Changing.quoted(snapshot.trees().cpu() + guest.path()), cpu);
    Optional<Node> cpuset = snapshot.cpuset(guest.path());
    cpuset.ifPresent(
        node ->
            directories.put(
                Changing.quoted(snapshot.trees().cpuset().orElseThrow() + guest.path()), node));
    return directories;
  }

  private static String found(Node node) {
    StringBuilder words = new StringBuilder(node.inode());
    Snapshot.SETTINGS.forEach(
        name ->
            node.file(name)
                .ifPresent(
                    text ->
                        words.append(' ').append(name).append(' ').append(Changing.quoted(text))));
    return words.toString();
  }

  /** Returns whether nothing was changed, because a guest is not as it was read. */
  static boolean foundOthers(CommandResult result) {
    return result.exitStatus() == OTHERS && result.standardOutput().contains(FOUND_OTHERS);
  }
}
