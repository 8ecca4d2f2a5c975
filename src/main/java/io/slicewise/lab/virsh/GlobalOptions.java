package io.slicewise.lab.virsh;

import java.util.List;
import java.util.Optional;

/**
 * The options before the command's name.
 *
 * @param words the command and its arguments
 */
record GlobalOptions(
    Optional<String> uri, boolean quiet, boolean readOnly, boolean version, List<String> words) {

  static GlobalOptions read(List<String> arguments) {
    Optional<String> uri = Optional.empty();
    boolean quiet = false;
    boolean readOnly = false;
    boolean version = false;
    int at = 0;
    while (at < arguments.size() && arguments.get(at).startsWith("-")) {
      String word = arguments.get(at++);
      if (word.equals("-c") || word.equals("--connect")) {
        if (at == arguments.size()) {
          throw new VirshFailure("option '" + word + "' requires an argument");
        }
        uri = Optional.of(arguments.get(at++));
      } else if (word.startsWith("--connect=")) {
        uri = Optional.of(word.substring("--connect=".length()));
      } else if (word.startsWith("-c")) {
        uri = Optional.of(word.substring(2));
      } else if (word.equals("-d") || word.equals("-e") || word.equals("-l")) {
        at++;
      } else if (word.equals("--quiet") || word.equals("--readonly") || word.equals("--version")) {
        quiet |= word.equals("--quiet");
        readOnly |= word.equals("--readonly");
        version |= word.equals("--version");
      } else if (word.matches("-[qrvt]+")) {
        quiet |= word.contains("q");
        readOnly |= word.contains("r");
        version |= word.contains("v");
      } else {
        throw new VirshFailure("unsupported option '" + word + "'. See --help.");
      }
    }
    return new GlobalOptions(
        uri,
        quiet,
        readOnly,
        version,
        arguments.subList(Math.min(at, arguments.size()), arguments.size()));
  }
}
