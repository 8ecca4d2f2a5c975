package io.slicewise.run.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/**
 * One line of a recording: a command that the host answered, or a file that it sent.
 *
 * @param at when the answer had arrived
 * @param words of the command; the path of the file
 * @param exit the exit status; empty if the command was ended by the run
 * @param input whether the run wrote to its standard input, which is not recorded
 * @param out standard output
 * @param err standard error
 * @param file where the file is in the run directory; empty for a command
 * @param again the number of an earlier line with the same command and the same answer, which this
 *     line then leaves out; the first line is 1
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HostAnswer(
    Instant at,
    List<String> words,
    OptionalInt exit,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean input,
    String out,
    String err,
    String file,
    OptionalInt again) {
  public HostAnswer {
    words = words == null ? List.of() : List.copyOf(words);
    exit = exit == null ? OptionalInt.empty() : exit;
    out = out == null ? "" : out;
    err = err == null ? "" : err;
    file = file == null ? "" : file;
    again = again == null ? OptionalInt.empty() : again;
  }

  /** Returns the answer to a command. */
  public static HostAnswer of(
      Instant at, List<String> words, boolean input, int exit, String out, String err) {
    return new HostAnswer(
        at, words, OptionalInt.of(exit), input, out, err, "", OptionalInt.empty());
  }

  /** Returns a command that the run ended. */
  public static HostAnswer ended(Instant at, List<String> words) {
    return new HostAnswer(at, words, OptionalInt.empty(), false, "", "", "", OptionalInt.empty());
  }

  /** Returns a file that the host sent. */
  public static HostAnswer file(Instant at, String remote, String local) {
    return new HostAnswer(
        at, List.of(remote), OptionalInt.empty(), false, "", "", local, OptionalInt.empty());
  }

  /** Returns the same answer with another output. */
  public HostAnswer printing(String other) {
    return new HostAnswer(at, words, exit, input, other, err, file, again);
  }

  HostAnswer repeating(int line) {
    return new HostAnswer(
        at, List.of(), OptionalInt.empty(), false, "", "", "", OptionalInt.of(line));
  }

  public HostAnswer at(Instant time) {
    return new HostAnswer(time, words, exit, input, out, err, file, again);
  }
}
