package io.slicewise.cli;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.cli.commands.ReduceCommand;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.ReductionScreen;
import io.slicewise.cli.screens.ReductionScreen.ReducedFile;
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
 * Runs {@code slicewise reduce FILE…} without options like {@link ReduceCommand}, but without
 * picocli, whose start-up costs as much as reading a million samples.
 */
public final class PlainReduce {
  private static final int HEAD = 256;

  private PlainReduce() {}

  /** Returns whether the arguments are only the command and sample files. */
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

  /** Returns whether the file begins like samples; all others go through picocli. */
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
      return ErrorPrinter.print(
              TerminalWriter.of(new PrintWriter(System.err, true, Charset.defaultCharset())), fault)
          .code();
    }
    byte[] text = Visible.text(ReductionScreen.text(reduced)).getBytes(Charset.defaultCharset());
    out.write(text, 0, text.length);
    out.flush();
    return samples > 0 ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }
}
