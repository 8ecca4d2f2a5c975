package io.slicewise.cli;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.cli.commands.ReduceCommand;
import io.slicewise.cli.screens.FaultsInWords;
import io.slicewise.cli.screens.ReducedFile;
import io.slicewise.cli.screens.ReductionScreen;
import io.slicewise.cli.screens.TerminalWriter;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code slicewise reduce FILE…} without any option, as {@link ReduceCommand} would do it. There is
 * nothing to parse then, and picocli is left alone: to load it and have it know the command costs
 * as much as to read a million samples.
 */
public final class PlainReduce {
  private static final int HEAD = 256;

  private PlainReduce() {}

  /** Whether the arguments are nothing but the command and files of samples. */
  static boolean is(String[] arguments) {
    if (arguments.length < 2 || !arguments[0].equals("reduce")) {
      return false;
    }
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].startsWith("-") || arguments[i].startsWith("@") || !samples(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  /** A file that begins as samples do; of others, monitors' logs among them, picocli's way asks. */
  private static boolean samples(String file) {
    if (!Files.isRegularFile(Path.of(file))) {
      return false;
    }
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      String head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
      return head.startsWith("<") || head.contains("timeStamp");
    } catch (IOException | InvalidPathException unreadable) {
      return false;
    }
  }

  public static int execute(String[] arguments, PrintStream out) {
    List<ReducedFile> reduced = new ArrayList<>();
    long samples = 0;
    try {
      for (int i = 1; i < arguments.length; i++) {
        Path file = Path.of(arguments[i]);
        var reduction =
            Reductions.reduce(file, ReductionOptions.standard())
                .ofRequests(file, ReduceCommand.SUMS_HINT);
        samples += reduction.total().samples();
        reduced.add(new ReducedFile(arguments[i], reduction));
      }
    } catch (SlicewiseException fault) {
      FaultsInWords.tell(
          TerminalWriter.of(new PrintWriter(System.err, true, Charset.defaultCharset())), fault);
      return fault.exitCode().code();
    }
    byte[] text = Visible.text(ReductionScreen.text(reduced)).getBytes(Charset.defaultCharset());
    out.write(text, 0, text.length);
    out.flush();
    return samples > 0 ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }
}
